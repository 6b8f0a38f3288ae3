import { expect, test } from 'vitest';
import type { LanguageModel, ModelMessage } from '../../../src/domain/extraction/language-model.ts';
import { generateByModel } from '../../../src/domain/generation/by-model.ts';
import { generateByRules } from '../../../src/domain/generation/generate.ts';

const useCase = '# Clinic\n\nKeep what patients tell us for two years.';
const ruled = generateByRules(useCase);
const proposed = { ...ruled.configuration, confidence_threshold: 0.8 };
const valid = JSON.stringify({
  configuration: proposed,
  choices: [{ setting: 'confidence_threshold', because: 'Patients must not be misread.', lines: [3] }],
});

/** Says these answers, one after the other, and notes what it was asked. */
async function askedOf(...answers: string[]) {
  const asked: (readonly ModelMessage[])[] = [];
  const model: LanguageModel = {
    model: 'said',
    async answer(messages) {
      asked.push([...messages]);
      return answers[asked.length - 1]!;
    },
  };
  const asking = { ruled, signal: new AbortController().signal, used: () => undefined };
  return { asked, generated: await generateByModel(model, useCase, asking) };
}

test('a valid answer is taken, with the lines that it rests on', async () => {
  const { asked, generated } = await askedOf(`Here it is:\n${valid}`);
  expect(asked).toHaveLength(1);
  expect(generated.configuration).toEqual(proposed);
  expect(generated.explanation).toMatchObject({ by: 'model' });
  expect(generated.explanation.derivedSettings).toContainEqual({
    setting: 'confidence_threshold',
    value: 0.8,
    because: 'Patients must not be misread.',
    lines: [{ line: 3, text: 'Keep what patients tell us for two years.' }],
  });
});

test('an answer that is not valid is asked for once more, with what was wrong', async () => {
  const { asked, generated } = await askedOf('{"configuration": {}}', valid);
  expect(asked).toHaveLength(2);
  expect(asked[1]!.slice(0, 2)).toEqual(asked[0]);
  expect(asked[1]!.at(-1)!.content).toMatch(/^That answer cannot be used\.\n.*configuration/s);
  expect(generated.configuration).toEqual(proposed);
});

test('after two that are not valid the rules decide, and a warning says so', async () => {
  const { asked, generated } = await askedOf('no JSON at all', '{"configuration": {}}');
  expect(asked).toHaveLength(2);
  expect(generated.configuration).toEqual(ruled.configuration);
  expect(generated.explanation.warnings[0]).toMatch(/no valid configuration/);
});
