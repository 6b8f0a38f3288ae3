import { createHash } from 'node:crypto';
import { anchorOf, escapeHtml, fieldTable, nameOf, parameterTable, prose } from './documentation-fields.ts';
import { documentationStyle } from './documentation-style.ts';
import type { OpenApi, Operation } from './openapi-types.ts';

interface Documented extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The OpenAPI document as one page without scripts, and the policy that lets it load nothing at all. */
export function documentationPage(document: OpenApi): { html: string; policy: string } {
  const hash = createHash('sha256').update(documentationStyle).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter((each) => each.tags[0] === name),
  }));
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title><style>${documentationStyle}</style></head>
<body><nav><strong>${escapeHtml(document.info.title)}</strong>${groups.map(groupLinks).join('')}${recordLinks(document)}</nav>
<main>${introduction(document)}${groups.map((group) => groupSection(group, document)).join('')}${records(document)}</main></body></html>`;
  return { html, policy };
}

interface Group {
  readonly name: string;
  readonly operations: readonly Documented[];
}

const groupLinks = ({ name, operations }: Group) =>
  `<h2>${escapeHtml(name)}</h2>` +
  operations.map((each) => `<a href="#${each.operationId}">${escapeHtml(each.summary)}</a>`).join('');

const recordLinks = (document: OpenApi) =>
  '<h2>Records</h2>' +
  Object.keys(document.components.schemas)
    .map((name) => `<a href="#${anchorOf(name)}">${name}</a>`)
    .join('');

const introduction = ({ info }: OpenApi) => `<h1>${escapeHtml(info.title)} API</h1>
<p>${escapeHtml(info.description)}</p>
<p>Every request carries an API key, which opens one instance and nothing else. The examples take it, and the address, from
the shell:</p>
<pre>export PRESAGE_URL=http://127.0.0.1:8080
export PRESAGE_KEY=presage_…</pre>
<p>Bodies are JSON in UTF-8. Times are ISO 8601 with an offset. A field that is not known is refused, so that a misspelt one
cannot go unnoticed. Errors are <a href="#${anchorOf('Problem')}">problem documents</a> (RFC 9457): <code>code</code> is for
programs, <code>errors</code> names each wrong field. Every answer has an <code>X-Correlation-Id</code>: yours when you send
one. The same as OpenAPI 3.1: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>`;

const groupSection = ({ name, operations }: Group, document: OpenApi) =>
  `<h2>${escapeHtml(name)}</h2>${operations.map((each) => operationArticle(each, document)).join('')}`;

function operationArticle(operation: Documented, document: OpenApi): string {
  const { operationId, method, path, summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content['application/json'];
  return `<article id="${operationId}"><h3>${escapeHtml(summary)}</h3>
<div class="route"><span class="method ${method}">${method.toUpperCase()}</span><code>${escapeHtml(path)}</code></div>
${description ? `<p>${prose(description)}</p>` : ''}
${parameterTable(
  'In the path',
  parameters.filter((each) => each.in === 'path'),
)}
${parameterTable(
  'In the query',
  parameters.filter((each) => each.in === 'query'),
)}
${parameterTable(
  'Headers',
  parameters.filter((each) => each.in === 'header'),
)}
${body ? fieldTable('Body', body.schema, document) : ''}
<h4>Answers</h4><table class="answers">${Object.entries(operation.responses).map(answerRow).join('')}</table>
<h4>Example</h4><pre>${escapeHtml(curlOf(operation, body?.example))}</pre></article>`;
}

function answerRow([status, { description, content }]: [string, Operation['responses'][string]]): string {
  const [type, { schema } = { schema: {} }] = Object.entries(content)[0] ?? [''];
  const record = nameOf(schema.$ref ?? '');
  const each = type === 'application/x-ndjson' ? ', one a line' : '';
  return `<tr><td>${status}</td><td><a href="#${anchorOf(record)}">${record}</a>${each}</td><td>${prose(description)}</td></tr>`;
}

function curlOf({ method, path }: Documented, example: unknown): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `;
  const lines = [`curl -s ${verb}"$PRESAGE_URL${url}"`, '-H "Authorization: Bearer $PRESAGE_KEY"'];
  if (example) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example, null, 2)}'`);
  return lines.join(' \\\n  ');
}

const records = (document: OpenApi) =>
  '<h2>Records</h2>' +
  Object.entries(document.components.schemas)
    .map(
      ([name, schema]) =>
        `<article id="${anchorOf(name)}"><h3>${name}</h3>${fieldTable('Fields', schema, document)}</article>`,
    )
    .join('');
