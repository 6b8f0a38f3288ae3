const { SwaggerUIBundle } = globalThis;

/** The search field finds an operation by its group, path, summary and name; on its own it looks at group and path. */
const search = {
  fn: {
    opsFilter(groups, phrase) {
      const wanted = String(phrase).toLowerCase();
      const holds = (text) => String(text).toLowerCase().includes(wanted);
      const fits = (each) =>
        [each.get('path'), each.getIn(['operation', 'summary']), each.getIn(['operation', 'operationId'])].some(holds);
      return groups
        .map((group, name) => (holds(name) ? group : group.update('operations', (all) => all.filter(fits))))
        .filter((group) => group.get('operations').size > 0);
    },
  },
};

SwaggerUIBundle({
  url: 'v1/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null, // by default it would send the address of the document to a service elsewhere
  plugins: [search],
});
