"""What is asked for by `{{ source }}`."""

{{ head }}
{% for service in services %}


{% include "type.py" %}
{% endfor %}
