import { z } from 'zod';
import { Configuration } from '../../../domain/configurations/configuration.ts';
import { limits } from '../../../domain/limits.ts';
import { shortTextField, useCaseField } from '../../http/fields.ts';
import { requestSchema, namedRequestSchemas } from '../fields.ts';

/** Request bodies of the routes of configurations. */

const comment = shortTextField(
  limits.comment,
  'Why it is done; the comment stands in the history of the version.',
).optional();
/** The greatest number that the database counts to. */
const lastNumber = 2 ** 31 - 1;
const version = z.int().min(1).max(lastNumber);
const revision = version
  .optional()
  .meta({ description: 'The revision that you have seen: if there is another now, 409.' });
const expectedActive = version
  .optional()
  .meta({ description: 'The version that you know to be in force: if it is not, 409.' });

export const InitBody = z
  .strictObject({
    configuration: Configuration.optional().meta({ description: 'All settings.' }),
    use_case: useCaseField.optional(),
    from: version
      .optional()
      .meta({ description: 'A version to begin from; without any of the three, the one in force.' }),
    comment,
  })
  .refine(
    ({ configuration, use_case, from }) =>
      [configuration, use_case, from].filter((each) => each !== undefined).length <= 1,
    { path: ['from'], message: 'send one of configuration, use_case and from' },
  )
  .prefault({})
  .register(namedRequestSchemas, { id: 'InitConfiguration' });

export const UpdateBody = requestSchema('UpdateConfiguration', {
  configuration: Configuration,
  revision: version.meta({ description: 'The revision that you changed: if there is another now, 409.' }),
  comment,
});

export const SubmitBody = z
  .strictObject({ revision, comment })
  .prefault({})
  .register(namedRequestSchemas, { id: 'SubmitConfiguration' });

export const ReviewBody = requestSchema('ReviewConfiguration', {
  decision: z.enum(['approve', 'reject']),
  revision,
  comment,
});

export const ApplyBody = z
  .strictObject({ revision, expected_active_version: expectedActive, comment })
  .prefault({})
  .register(namedRequestSchemas, { id: 'ApplyConfiguration' });

export const RollbackBody = z
  .strictObject({
    to: version.optional().meta({ description: 'A version that was in force; without it, the one before.' }),
    expected_active_version: expectedActive,
    comment,
  })
  .prefault({})
  .register(namedRequestSchemas, { id: 'RollBackConfiguration' });
