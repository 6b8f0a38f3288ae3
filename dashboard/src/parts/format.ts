const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export const formatDateTime = (at: string) => dateTime.format(new Date(at));
export const formatDate = (at: string) => date.format(new Date(at));
export const formatMonth = (at: string) => month.format(new Date(at));
export const formatCount = (count: number) => count.toLocaleString('en');
export const formatShare = (share: number | null | undefined) =>
  share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`;
export const formatMs = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? '–' : ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** A name of the API in words: `AI_CHAT_CONVERSATION` → `ai chat conversation`. */
export const inWords = (name: string) => name.toLowerCase().replaceAll('_', ' ');

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
] as const;

/** How long ago, or how soon: `3 minutes ago`. */
export function formatDistance(at: string, now = Date.now()): string {
  let amount = (new Date(at).getTime() - now) / 1_000;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return relative.format(Math.round(amount), 'year');
}
