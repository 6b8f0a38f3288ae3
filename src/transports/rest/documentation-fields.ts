import type { OpenApi, Parameter, Schema } from './openapi-types.ts';

/** A row of a table of fields. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly note: string;
}

export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** A sentence of ours, where `…` marks code. */
export const prose = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Empty when there are none. */
export function parameterTable(title: string, parameters: readonly Parameter[]): string {
  const fields = parameters.map(({ name, required, schema, description }) => ({
    name,
    type: typeOf(schema),
    isRequired: required,
    note: noteOf({ ...schema, ...(description ? { description } : {}) }),
  }));
  return table(title, fields);
}

/** The fields of an object, those of objects within it by their path: `evidence[].quote`. */
export const fieldTable = (title: string, schema: Schema, document: OpenApi): string =>
  table(title, fieldsOf(resolve(schema, document), '', document));

function table(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, isRequired, note }) =>
      `<tr><td><code class="name">${escapeHtml(name)}</code>${isRequired ? '<b title="required">*</b>' : ''}</td>` +
      `<td class="type">${type}</td><td>${note}</td></tr>`,
  );
  return `<h4>${escapeHtml(title)}</h4><table>${rows.join('')}</table>`;
}

function fieldsOf(schema: Schema, within: string, document: OpenApi): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = `${within}${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    return [{ name, type: typeOf(field), isRequired, note: noteOf(field) }, ...innerFields(field, name, document)];
  });
}

/** Of an object without a name of its own, or of such objects in a list; named ones have their own table. */
function innerFields(schema: Schema, name: string, document: OpenApi): Field[] {
  const choices = schema.anyOf ?? [schema];
  return choices.flatMap((choice) => [
    ...fieldsOf(choice, `${name}.`, document),
    ...(choice.items ? fieldsOf(choice.items, `${name}[].`, document) : []),
  ]);
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return `<a href="#${anchorOf(nameOf(schema.$ref))}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  const types = [schema.type ?? 'anything'].flat();
  return types
    .map((type) => (type === 'string' && schema.format === 'date-time' ? 'time' : escapeHtml(type)))
    .join(' or ');
}

function noteOf(schema: Schema): string {
  const limits = [
    ...(schema.default === undefined ? [] : [`default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`]),
    ...(schema.minimum === undefined ? [] : [`from ${schema.minimum}`]),
    ...(schema.maximum === undefined ? [] : [`to ${schema.maximum.toLocaleString('en')}`]),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength.toLocaleString('en')} characters`]),
    ...(schema.maxItems === undefined ? [] : [`at most ${schema.maxItems.toLocaleString('en')} items`]),
  ];
  const said = schema.description ? prose(schema.description) : '';
  return `${said}${limits.length > 0 ? ` <span class="limits">${limits.join(', ')}</span>` : ''}`;
}

export const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
export const anchorOf = (record: string) => `record-${record}`;

function resolve(schema: Schema, document: OpenApi): Schema {
  return schema.$ref ? (document.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;
}
