import type { UploadReader } from '../../../../../application/uploads/ports/upload-ports.js';
import type { Uploads } from '../../../../../application/uploads/uploads.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { etagOf, headersOfUpload } from '../../api-v4/uploads/uploaded-bytes.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { sendBytes } from '../../send-bytes.js';
import { isStorable } from '../../validation/storable-text.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';

export interface UploadedFilePagesParts {
  readonly access: WorkspaceAccess;
  readonly uploads: Uploads;
  readonly uploadReader: UploadReader;
}

/** Below a project, and not below one of its pages, which may be about a folder of that name. */
const ADDRESS = /^\/(?<path>\w[\w.-]*(?:\/\w[\w.-]*)+)\/uploads\/(?<secret>[0-9a-f]{32})\/(?<name>[^/]+)$/;

const sendUpload = async (
  { access, uploads, uploadReader }: UploadedFilePagesParts,
  context: PageContext,
): Promise<void> => {
  const { request, response } = context;
  const permitted = await projectOfPage(access, context, 'read_project');
  const { secret, name } = request.params as { readonly secret: string; readonly name: string };
  const named = isStorable(name) ? await uploads.find(permitted, { secret, fileName: name }) : undefined;
  const upload = orNotFound(named);
  const headers = headersOfUpload(upload, await uploadReader.beginning(upload.id));
  if (request.get('if-none-match') === etagOf(upload)) {
    response.set({ ETag: etagOf(upload), 'Cache-Control': headers['Cache-Control'] });
    return void response.status(304).end();
  }
  const head = { status: 200, headers, ranged: true };
  await sendBytes(response, (span) => Promise.resolve(uploadReader.content(upload, span)), head);
};

/** The files that texts of a project lead to. */
export const addUploadedFilePages = (pages: Pages, parts: UploadedFilePagesParts): void =>
  pages.get(ADDRESS, 'anyone', (context) => sendUpload(parts, context));
