{{ head }}
{% for service in services %}

{% include "type.ts" %}
{% endfor %}
