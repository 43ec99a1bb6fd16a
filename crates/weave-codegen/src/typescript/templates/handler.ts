import { type FetchHandler, {{ "fetchHandlers" if apart else "fetchHandler" }} } from {{ shared }};
{% for line in generated %}
{{ line }}
{% endfor %}
{% for line in own %}
{{ line }}
{% endfor %}

{% if apart %}
/** Answers the calls of the tools of each file at a path of its own: two of them have tools of one name. */
export const handler: FetchHandler = fetchHandlers(
  {
{% for service in services %}
    {{ service.path }}: {{ service.tools }},
{% endfor %}
  },
{% else %}
/** Answers the calls of all tools. */
export const handler: FetchHandler = fetchHandler(
  [{% for service in services %}...{{ service.tools }}, {% endfor %}],
{% endif %}
  {
    onError: (tool, error) => {
      console.error(`the tool ${tool} failed`, error);
    },
  },
);

/** What Deno, Bun and edge runtimes start. */
const application: { readonly fetch: FetchHandler } = { fetch: handler };
export default application;
