import { type FetchHandler, fetchHandler } from {{ shared }};
{% for line in generated %}
{{ line }}
{% endfor %}
{% for line in own %}
{{ line }}
{% endfor %}

/** Answers the calls of all tools. */
export const handler: FetchHandler = fetchHandler(
  [{% for service in services %}...{{ service.tools }}, {% endfor %}],
  {
    onError: (tool, error) => {
      console.error(`the tool ${tool} failed`, error);
    },
  },
);

/** What Deno, Bun and edge runtimes start. */
const application: { readonly fetch: FetchHandler } = { fetch: handler };
export default application;
