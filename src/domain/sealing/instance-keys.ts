import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The location of a sealed value, which is authenticated: moved to another row or column, it does not open. */
export type SealedColumn =
  | 'api_key.label'
  | 'configuration.body'
  | 'configuration.explanation'
  | 'configuration_step.comment'
  | 'event.data'
  | 'webhook.url'
  | 'webhook.description'
  | 'webhook.secret'
  | 'webhook.former_secret'
  | 'onboarding.use_case'
  | 'batch.refused'
  | 'compaction.body'
  | 'conversation.metadata'
  | 'message.body'
  | 'document.body'
  | 'document.metadata'
  | 'ingestion.checkpoint'
  | 'memory.content'
  | 'memory.own_category'
  | 'memory.speaker'
  | 'memory.metadata'
  | 'memory_evidence.quote'
  | 'memory.superseded_reason'
  | 'memory.correction_reason'
  | 'entity.name'
  | 'mention.name'
  | 'entity_merge.features'
  | 'entity_review.features'
  | 'audit.before'
  | 'audit.after'
  | 'dashboard_user.email'
  | 'dashboard_link.email'
  | 'idempotency.response'
  | 'operation_bucket.label'
  | 'prefetched_context.body';

const formatVersion = 1;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Keys derived from one instance's data key: sealing (AES-256-GCM; version byte, IV, tag, ciphertext) and keyed hashes
 * (HMAC-SHA256), each under a key of its own derived by HKDF (RFC 5869).
 */
export class InstanceKeys {
  readonly #instance: string;
  readonly #sealKey: Buffer;
  readonly #hashKey: Buffer;
  // Stems recur in every turn; hashing one costs some 3 µs, looking it up a tenth of that.
  readonly #terms = new LRUCache<string, bigint>({ max: 20_000 });

  constructor(instance: string, dataKey: Buffer) {
    this.#instance = instance;
    this.#sealKey = Buffer.from(hkdfSync('sha256', dataKey, '', 'presage seal', 32));
    this.#hashKey = Buffer.from(hkdfSync('sha256', dataKey, '', 'presage hash', 32));
  }

  seal(column: SealedColumn, id: string, text: string): Buffer<ArrayBuffer> {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, iv).setAAD(this.#place(column, id));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(formatVersion), iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when the value was sealed elsewhere, with another key, or was changed. */
  open(column: SealedColumn, id: string, sealed: Uint8Array): string {
    if (sealed[0] !== formatVersion) throw new Error(`unknown seal version in ${column}`);
    const body = 1 + ivBytes + tagBytes;
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, sealed.subarray(1, 1 + ivBytes))
      .setAAD(this.#place(column, id))
      .setAuthTag(sealed.subarray(1 + ivBytes, body));
    return decipher.update(sealed.subarray(body), undefined, 'utf8') + decipher.final('utf8');
  }

  /** A keyed hash of 16 bytes; `purpose` keeps hashes of the same text for two uses apart. */
  hash(
    purpose:
      | 'content'
      | 'attribute'
      | 'attribute-value'
      | 'name'
      | 'name-block'
      | 'request'
      | 'query'
      | 'category'
      | 'email'
      | 'operation',
    text: string,
  ): Buffer<ArrayBuffer> {
    return Buffer.from(createHmac('sha256', this.#hashKey).update(`${purpose}\0${text}`).digest().subarray(0, 16));
  }

  /** The 63-bit number under which a stem is indexed. */
  term(stem: string): bigint {
    const existing = this.#terms.get(stem);
    if (existing !== undefined) return existing;
    const term = createHmac('sha256', this.#hashKey).update(`term\0${stem}`).digest().readBigUInt64BE() >> 1n;
    this.#terms.set(stem, term);
    return term;
  }

  #place(column: SealedColumn, id: string): Buffer {
    return Buffer.from(`${this.#instance}/${column}/${id}`);
  }
}
