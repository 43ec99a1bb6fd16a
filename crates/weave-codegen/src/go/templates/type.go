{{ service.docs }}type {{ service.name }} struct{}

var _ {{ service.interface }} = (*{{ service.name }})(nil)
{% for method in service.methods %}

{% include "method.go" %}
{% endfor %}
