import { id, instant, sealed, table } from './table.js';

export const SECRET_KEY_TABLES = {
  secret_key_sentinels: table({
    key: ['id'],
    size: 'few',
    columns: { id, sealed_text: sealed, created_at: instant },
  }),
};
