{{ service.docs }}export const {{ service.name }}: {{ service.interface }} = {
{% for method in service.methods %}
{% include "method.ts" %}
{% endfor %}
};
