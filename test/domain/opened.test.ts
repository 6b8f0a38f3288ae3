import { expect, test } from 'vitest';
import { openAllOrNone, ResourceStack } from '../../src/resource-stack.ts';

test('what was opened last is closed first, once, and one that fails keeps no other open', async () => {
  const closed: string[] = [];
  const opened = new ResourceStack();
  opened.onClose(() => closed.push('folder'));
  opened.onClose(async () => {
    closed.push('database');
    throw new Error('the database is gone');
  });
  opened.onClose(() => {
    closed.push('server');
    throw new Error('the server is gone');
  });
  await expect(opened.close()).rejects.toThrow('the server is gone');
  await opened.close();
  expect(closed).toEqual(['server', 'database', 'folder']);
});

test('what cannot be opened whole is closed again, and says why it could not be opened', async () => {
  const closed: string[] = [];
  const opening = openAllOrNone(async (opened) => {
    opened.onClose(() => closed.push('folder'));
    opened.onClose(() => Promise.reject(new Error('the database cannot be closed')));
    throw new Error('there are no vectors');
  });
  await expect(opening).rejects.toThrow('there are no vectors');
  expect(closed).toEqual(['folder']);
  expect(await openAllOrNone(async (opened) => opened.onClose(() => closed.push('never')))).toBeUndefined();
  expect(closed).toEqual(['folder']);
});
