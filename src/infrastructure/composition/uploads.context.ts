import { ContainerModule } from 'inversify';
import { forgetUploads, Uploads } from '../../application/uploads/uploads.js';
import { createUploadRoutes } from '../../adapters/inbound/http/api-v4/uploads/upload-routes.js';
import { addUploadedFilePages } from '../../adapters/inbound/http/pages/uploads/uploaded-file-pages.js';
import { KnexUploadReader } from '../../adapters/outbound/persistence/knex/uploads/knex-upload-reader.js';
import type { Context } from './context.js';
import { TOKENS } from './tokens.js';
import { uploadsStorage } from './uploads.storage.js';
import { UPLOAD_TOKENS } from './uploads.tokens.js';
import { WORKSPACE_TOKENS } from './workspace.tokens.js';

const uploadsModule = new ContainerModule(({ bind }) => {
  bind(UPLOAD_TOKENS.uploads).toResolvedValue(
    ({ reader: session }, unitOfWork, { secrets, digester }, clock) => {
      const reader = new KnexUploadReader(session);
      return { uploads: new Uploads({ unitOfWork, reader, secrets, digester, clock }), uploadReader: reader };
    },
    [TOKENS.database, TOKENS.unitOfWork, TOKENS.secrecy, TOKENS.clock],
  );
});

/** Files that people attach to what they write in projects. */
export const uploadsContext: Context<typeof uploadsStorage> = {
  storage: uploadsStorage,
  modules: [uploadsModule],
  routes: (get) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    return createUploadRoutes({ access, ...get(UPLOAD_TOKENS.uploads) });
  },
  pages: (get) => (pages) => {
    const { access } = get(WORKSPACE_TOKENS.workspace);
    addUploadedFilePages(pages, { access, ...get(UPLOAD_TOKENS.uploads) });
  },
  forgetProject: [forgetUploads],
};
