import { expect } from 'vitest';
import { defaultConfiguration } from '../../src/domain/configurations/configuration.ts';
import type { ServiceProcess } from './service-process.ts';

/** Words of administrators: in settings, comments, files and labels. A category is one in lower case. */
export const administratorsWords = {
  category: 'mumblewick',
  meaning: 'Tumbleknack',
  example: 'Whiffleton',
  comment: 'Grizzleby',
  useCase: 'Plumshanty',
  useCaseSentAlone: 'Skitterbourne',
  keyLabel: 'Drizzlecomb',
  imported: 'Knobbleswick',
  refusedSetting: 'Fumblegate',
};

/** Puts a category of its own in force in the first instance, onboards another, makes a key, imports and is refused. */
export async function sayAsAdministrator({
  baseUrl,
  adminToken,
}: Pick<ServiceProcess, 'baseUrl' | 'adminToken'>): Promise<void> {
  const words = administratorsWords;
  const ask = async (method: string, path: string, body?: unknown, type = 'application/json') => {
    const answer = await fetch(`${baseUrl}/v1/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : {} };
  };
  const made = async (method: string, path: string, body?: unknown, type?: string) => {
    const answer = await ask(method, path, body, type);
    expect([path, answer.status < 300, answer.body]).toEqual([path, true, answer.body]);
    return answer.body;
  };
  const { data } = await made('GET', '/instances');
  const instance = `/instances/${data[0].instance_id}`;
  const own = {
    name: words.category,
    description: `What they order for the harbour, such as ${words.meaning}`,
    examples: [`I ordered a ${words.example}`],
  };
  const configuration = { ...defaultConfiguration, categories: [own, ...defaultConfiguration.categories] };
  const { comment } = words;
  const { version } = await made('POST', `${instance}/configurations`, { configuration, comment });
  await made('POST', `${instance}/configurations/${version}/submit`, { comment });
  await made('POST', `${instance}/configurations/${version}/review`, { decision: 'approve', comment });
  await made('POST', `${instance}/configurations/${version}/apply`, { comment });
  expect((await ask('POST', `${instance}/configurations`, { configuration: words.refusedSetting })).status).toBe(400);
  await made('POST', `${instance}/keys`, { label: words.keyLabel });
  const use_case = `# Front desk\n\nOur clinic ${words.useCase} books appointments for patients.`;
  await made('POST', '/onboarding', { client_name: 'Fern Street', use_case, complete: true });
  const sentAlone = `# Shop\n\nCustomers of ${words.useCaseSentAlone} order boots.`;
  await made('POST', '/onboarding?client_name=Shop', sentAlone, 'text/markdown');
  const document = { document: `The office of ${words.imported} opens at nine.`, document_type: 'note' };
  await made('POST', `${instance}/world-import`, { documents: [document] });
}
