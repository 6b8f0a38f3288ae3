import type { Resolvers } from '../../../generated/graphql.ts';
import { nullIfNotFound } from '../../../domain/errors.ts';
import { parseInput, OnboardingInput, parseWholeInput, UseCaseInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

const expected = ['conflict', 'invalid_input', 'not_found', 'payload_too_large'] as const;

export const onboardingResolvers: Resolvers = {
  Query: {
    onboarding: async (_, { id }, context) => nullIfNotFound(context.app.onboarding.read(context.administrator(), id)),
    previewOnboarding: async (_, input, context) =>
      context.app.onboarding.preview(context.administrator(), parseWholeInput(UseCaseInput, input)),
  },
  Mutation: {
    async onboard(_, { input }, context) {
      const admin = context.administrator();
      return problemsAsResult('OnboardingStarted', ['conflict', 'invalid_input', 'payload_too_large'], async () => {
        const { clientName, clientId, instanceName, useCase, complete } = parseInput(OnboardingInput, input);
        const { record, key, keyRecord } = await context.app.onboarding.start(admin, {
          client: clientId ? { id: clientId } : { name: clientName! },
          instanceName,
          useCase,
          complete,
        });
        return { onboarding: record, key: keyRecord, secret: key };
      });
    },
    async replaceUseCase(_, input, context) {
      const admin = context.administrator();
      return problemsAsResult('Onboarding', expected, async () =>
        context.app.onboarding.replaceUseCase(admin, parseWholeInput(UseCaseInput.required(), input)),
      );
    },
    async completeOnboarding(_, { id }, context) {
      const admin = context.administrator();
      return problemsAsResult('Onboarding', expected, async () => context.app.onboarding.complete(admin, id));
    },
  },
  Onboarding: {
    isCompleted: ({ state }) => state === 'completed',
    useCase: async ({ id }, _, context) => nullIfNotFound(context.app.onboarding.useCase(context.administrator(), id)),
  },
  OnboardingPreview: {
    settings: ({ configuration }) => configuration,
  },
};
