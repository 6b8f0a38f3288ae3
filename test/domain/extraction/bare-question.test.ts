import { expect, test } from 'vitest';
import { isBareQuestion } from '../../../src/domain/extraction/bare-question.ts';

test.each([
  'How old is Ines?',
  'Can I park here?',
  'Is she coming, or not today?',
  'Hi! Where does Ana live?',
  'Wo wohnt Ana?',
  '¿Mi hermana viene?',
  'Où habite Ana ?',
])('"%s" only asks', (text) => expect(isBareQuestion(text)).toBe(true));

test.each([
  'My wife is Ana, right?',
  "I'm vegan, ok?",
  'I live in York?',
  "I'm allergic to nuts, remember?",
  "Ana is vegan, isn't she?",
  'Ana is vegan - right?',
  'Meine Frau heißt Ana, oder?',
  'Ana wohnt in Graz, nicht wahr?',
  'Ana vive en Girona, ¿verdad?',
  "Ana habite à Lyon, n'est-ce pas ?",
  "J'habite à Lyon ?",
])('"%s" tells something', (text) => expect(isBareQuestion(text)).toBe(false));
