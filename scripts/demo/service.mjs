/** What went wrong, in words for the person who runs the demo. */
export class DemoError extends Error {}

/** The HTTP calls that the demo makes. */
export function openService({ baseUrl, key }) {
  async function call(method, path, body) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error) => {
      const reason = error.cause?.code ?? error.message;
      throw new DemoError(
        `No Presage answers at ${baseUrl} (${reason}).\nStart it with npm start, then run this again.`,
      );
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    if (response.status === 401) {
      throw new DemoError(
        `${baseUrl} does not know ${key ? 'this key' : 'you: there is no key'}.\nGive one with --key or PRESAGE_KEY.`,
      );
    }
    throw new DemoError(`${method} ${path}: ${response.status} ${answer.detail ?? response.statusText}`);
  }

  return {
    /** Hands a chat over and waits until it is remembered. */
    async remember(userId, turns) {
      const startedAt = performance.now();
      const { ingestion_id: id } = await call('POST', '/v1/memories', {
        document: turns,
        document_type: 'ai-chat-conversation',
        user_id: userId,
        mode: 'long-range',
      });
      const ingestion = await call('GET', `/v1/memories/${id}/status?wait=30`);
      if (ingestion.status === 'failed') throw new DemoError(`The chat was not ingested: ${ingestion.error}`);
      if (ingestion.status !== 'completed')
        throw new DemoError(`The chat is still ${ingestion.status} after half a minute.`);
      return { ...ingestion, ms: performance.now() - startedAt };
    },
    /** All that is remembered of a user, with what was superseded. */
    async memories(userId) {
      const pages = ['active', 'superseded'].map((status) =>
        call('GET', `/v1/memories?user_id=${userId}&status=${status}&limit=100`),
      );
      const [active, superseded] = await Promise.all(pages);
      return { active: active.data, superseded: superseded.data };
    },
    async recall(userId, question) {
      const startedAt = performance.now();
      const { memories } = await call('POST', '/v1/context/fetch', {
        user_id: userId,
        search_queries: [question],
        mode: 'accurate',
        max_results: 3,
      });
      return { memories, ms: performance.now() - startedAt };
    },
    forget: (userId) => call('DELETE', `/v1/users/${userId}`),
  };
}
