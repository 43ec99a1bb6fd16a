class {{ service.name }}:
{{ service.docs }}
{% for method in service.methods %}

{% include "method.py" %}
{% endfor %}
