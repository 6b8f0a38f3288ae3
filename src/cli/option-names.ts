/** The command-line option of each API field: errors of commands name options and not fields. */
const names: Readonly<Record<string, string>> = {
  user_id: '--user',
  customer_id: '--customer',
  conversation_id: 'the conversation',
  document: 'the text',
  content: 'the text',
  document_type: '--type',
  document_id: '--document-id',
  document_created_at: '--said-at',
  search_queries: 'the question',
  types: '--type',
  type: '--type',
  provenance: '--provenance',
  category: '--category',
  status: '--status',
  state: '--state',
  q: '--q',
  mode: '--mode',
  as_of: '--as-of',
  max_results: '--limit',
  strategy: '--strategy',
  target_tokens: '--target-tokens',
  event_types: '--events',
  description: '--description',
  url: 'the URL',
  label: '--label',
  comment: '--comment',
  month: '--month',
  at: '--at',
  client_name: '--client',
  instance_name: '--name',
  event_start: '--event-start',
  event_end: '--event-end',
  event_precision: '--event-precision',
  reason: '--reason',
  use_case: 'the use-case file',
};

/** `max_results` is `--limit`, and `types[0]` is `--type`; a field without a name here stays as it is. */
export const optionNameOf = (field: string): string => names[field.replace(/\[\d+\]$/, '')] ?? field;

/** A message that may name the users and customers of the API. */
export const useOptionNames = (message: string): string =>
  message.replaceAll(/\b(?:user_id|customer_id)\b/g, (field) => optionNameOf(field));
