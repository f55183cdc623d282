import { KnexUploadRepository } from '../../adapters/outbound/persistence/knex/uploads/knex-upload-repository.js';
import { defineStorage } from './storage.js';

export const uploadsStorage = defineStorage({
  name: 'uploads',
  stores: {
    uploads: ({ session }) => new KnexUploadRepository(session),
  },
});
