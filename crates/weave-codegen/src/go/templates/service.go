{{ head }}
{% for service in services %}

{% include "type.go" %}
{% endfor %}
