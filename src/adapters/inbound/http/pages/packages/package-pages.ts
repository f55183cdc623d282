import type { Packages } from '../../../../../application/packages/packages.js';
import type { PackageReader } from '../../../../../application/packages/ports/package-ports.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Project } from '../../../../../domain/workspace/namespace.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { headersOfPackageFile } from '../../api-v4/packages/package-bytes.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { sendBytes } from '../../send-bytes.js';
import type { WebUrls } from '../../web-urls.js';
import { pathNumber } from '../form-fields.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { pageRequest, queryChoice } from '../page-request.js';
import { sizeInWords } from '../pipelines/size-in-words.js';
import { projectOfPage } from '../project-of-page.js';
import { addPackageRemovalPages, TAB } from './package-removal-pages.js';

export interface PackagePagesParts {
  readonly access: WorkspaceAccess;
  readonly packages: Packages;
  readonly packageReader: PackageReader;
  readonly urls: WebUrls;
}
type Parts = PackagePagesParts;

/** Packages of a project: all of them, one with its files, and each file to be saved. */
export const addPackagePages = (pages: Pages, parts: Parts): void => {
  const tab = { name: TAB, label: 'Packages', to: TAB, order: 48, within: 'ci' } as const;
  pages.tabs.addToProjects({ ...tab, permission: 'read_packages' });
  pages.get('/*path/-/packages', 'anyone', (context) => showAll(parts, context));
  pages.get('/*path/-/packages/:id', 'anyone', (context) => showOne(parts, context));
  pages.get('/*path/-/package_files/:id/download', 'anyone', (context) => sendFile(parts, context));
  addPackageRemovalPages(pages, parts);
};

const listOf = ({ fullPath }: Project): string => `/${fullPath}/-/packages`;

/** How a file is sent by a command, as whoever reads the page may copy it. */
const commandFor = ({ urls }: Parts, { id }: Project): string => {
  const address = urls.api(`/projects/${id}/packages/generic/tools/1.0.0/tool.tar.gz`);
  return `curl --fail --upload-file tool.tar.gz --header "PRIVATE-TOKEN: $TOKEN" ${address}`;
};

const showAll = async (parts: Parts, context: PageContext): Promise<void> => {
  const place = await projectOfPage(parts.access, context, 'read_packages');
  const { project, level } = place;
  const status = queryChoice(context, 'status', ['default', 'hidden']);
  const request = pageRequest(context);
  const order = { orderBy: 'created_at', sort: 'desc', page: request } as const;
  const page = await parts.packageReader.list(project.id, { status, ...order });
  const counts = await parts.packageReader.countFiles(page.items.map(({ id }) => id));
  const maySend = isOffered(project, level, 'write_packages');
  await sendProjectPage(context, place, 'packages/all', {
    title: `Packages of ${project.name}`,
    tab: TAB,
    address: listOf(project),
    packages: page.items.map((each) => ({ ...each, files: counts.get(each.id) ?? 0 })),
    status,
    command: maySend ? commandFor(parts, project) : undefined,
    used: maySend ? await parts.packages.usedBy(project.id) : undefined,
    sizeInWords,
    page,
    request,
    kept: { status },
  });
};

const showOne = async (parts: Parts, context: PageContext): Promise<void> => {
  const place = await projectOfPage(parts.access, context, 'read_packages');
  const { project, level } = place;
  const found = await parts.packageReader.find(project.id, pathNumber(context.request));
  const shown = orNotFound(found, 'Package');
  const request = pageRequest(context);
  const page = await parts.packageReader.files(shown.id, request, 'desc');
  const filesAt = `/${project.fullPath}/-/package_files`;
  await sendProjectPage(context, place, 'packages/one', {
    title: `Package ${shown.name} ${shown.version} of ${project.name}`,
    tab: TAB,
    list: listOf(project),
    address: `${listOf(project)}/${shown.id}`,
    shown,
    files: page.items.map((file) => ({
      ...file,
      size: sizeInWords(file.size),
      download: `${filesAt}/${file.id}/download`,
      remove: `${filesAt}/${file.id}/remove`,
    })),
    mayRemove: isOffered(project, level, 'remove_packages'),
    page,
    request,
  });
};

const sendFile = async (parts: Parts, context: PageContext): Promise<void> => {
  const place = await projectOfPage(parts.access, context, 'read_packages');
  const file = orNotFound(await parts.packageReader.file(place.project.id, pathNumber(context.request)), 'File');
  const head = { status: 200, headers: headersOfPackageFile(file), ranged: true };
  await sendBytes(context.response, (span) => parts.packages.read(place, file, span), head);
};
