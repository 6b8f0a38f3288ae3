import { draftDocument } from './draft-document.ts';

const sample = 'I moved to Leeds last spring, my sister Ada lives in York, and I am nervous about the exam on 3 June.';

/** The rules compile when they are first used, which takes as long as a hundred turns: so before anybody waits. */
export function warmUpRules(): void {
  draftDocument([{ index: 0, role: 'user', content: sample, at: new Date(0) }], {
    documentType: 'ai-chat-conversation',
  });
}
