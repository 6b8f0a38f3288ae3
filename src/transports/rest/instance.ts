import { presentInstance } from './present.ts';
import { InstanceRecord } from './records.ts';
import { defineRoute } from './route.ts';

export const instanceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/instance',
    useCase: 'instance',
    group: 'Instance',
    summary: 'Read the instance of your key',
    description: 'With the embedding model in use, and how far a change to another has come.',
    answer: InstanceRecord,
    async handle(app, { access }) {
      return { body: presentInstance(await app.instance(access), await app.embedding(access)) };
    },
  }),
];
