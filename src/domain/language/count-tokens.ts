export { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
