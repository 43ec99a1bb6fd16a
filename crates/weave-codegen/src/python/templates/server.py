"""The tools as an application of ASGI: `uvicorn {{ package }}.server:app`."""

from __future__ import annotations

import logging

from {{ root }} import _weave as weave
{% for line in generated %}
{{ line }}
{% endfor %}

{% for line in own %}
{{ line }}
{% endfor %}

log = logging.getLogger(__name__)


def tell(tool: str, error: BaseException) -> None:
    """Takes what was raised and is no failure that a tool declares."""
    log.error("the tool %s failed", tool, exc_info=error)


{% if apart %}
# Each file has a path of its own: two of them have tools of one name.
tools = {
{% for service in services %}
    {{ service.path }}: {{ service.tools }},
{% endfor %}
}
app = weave.asgi_apps(tools, weave.RunOptions(on_error=tell))
{% else %}
tools = [
{% for service in services %}
    *{{ service.tools }},
{% endfor %}
]
app = weave.asgi_app(tools, weave.RunOptions(on_error=tell))
{% endif %}
