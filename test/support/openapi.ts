import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import type {
  OpenApiDocument,
  OpenApiOperation as Documented,
  OpenApiSchema,
} from '../../src/transports/rest/openapi-types.ts';

/** A route, as the OpenAPI document tells it. */
export interface Operation extends Documented {
  readonly method: string;
  readonly path: string;
}

export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );

/** What is wrong with an answer by its own documentation; null: nothing. */
export function answerChecker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'api', components: document.components });
  return ({ responses, operationId }: Operation, status: number, body: unknown): string | null => {
    const documented = responses[status];
    if (!documented) return `${operationId} answers ${status}, which it does not document`;
    const [content] = Object.values(documented.content);
    const { schema } = content!;
    const whole = schema.$ref ? { $ref: `api${schema.$ref}` } : schema;
    return ajv.validate(whole, body) ? null : `${operationId} ${status}: ${ajv.errorsText()}`;
  };
}

/** Values that the schema takes, more or less, and now and then some that it does not. */
export function valuesOf(schema: OpenApiSchema, document: OpenApiDocument, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 5) return fc.jsonValue({ maxDepth: 1 });
  const within = (inner: OpenApiSchema) => valuesOf(inner, document, depth + 1);
  const fitting = (): fc.Arbitrary<unknown> => {
    if (schema.$ref) return within(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(within));
    switch ([schema.type].flat()[0]) {
      case 'string':
        return schema.format
          ? fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
          : fc.string({
              minLength: schema.minLength ?? 0,
              maxLength: Math.min(schema.maxLength ?? 40, 300),
              unit: 'binary',
            });
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1_000 });
      case 'number':
        return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 5, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(schema.items ? within(schema.items) : fc.jsonValue(), { maxLength: 4 });
      case 'object':
        return objectsOf(schema, within);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };
  return fc.oneof({ weight: 9, arbitrary: fitting() }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}

function objectsOf(
  { properties = {}, required = [] }: OpenApiSchema,
  within: (inner: OpenApiSchema) => fc.Arbitrary<unknown>,
) {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, within(inner)]));
  const known = fc.record(fields, { requiredKeys: [...required] });
  const strange = fc.tuple(known, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1 }));
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: strange.map(([one, other]) => ({ ...other, ...one })) },
  );
}
