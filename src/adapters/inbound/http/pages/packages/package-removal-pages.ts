import type { Packages } from '../../../../../application/packages/packages.js';
import type { PackageReader } from '../../../../../application/packages/ports/package-ports.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { Package, PackageFile } from '../../../../../domain/packages/package.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { pathNumber } from '../form-fields.js';
import { addRemovalPage } from '../frame/removal-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly packages: Packages;
  readonly packageReader: PackageReader;
}

interface Removing<Thing> {
  readonly place: Permitted<'remove_packages'>;
  readonly thing: Thing;
}

export const TAB = 'packages';

const LATER = 'Releases and programs that lead to it find nothing from then on.';

const listOf = ({ project }: Permitted<'remove_packages'>): string => `/${project.fullPath}/-/packages`;

/** What asks before a package, or one file of it, is removed. */
export const addPackageRemovalPages = (pages: Pages, parts: Parts): void => {
  const find =
    <Thing>(name: string, look: (place: Permitted<'remove_packages'>, id: number) => Promise<Thing | undefined>) =>
    async (context: PageContext): Promise<Removing<Thing>> => {
      const place = await projectOfPage(parts.access, context, 'remove_packages');
      return { place, thing: orNotFound(await look(place, pathNumber(context.request)), name) };
    };

  addRemovalPage<Removing<Package>>(pages, {
    path: '/*path/-/packages/:id/remove',
    find: find('Package', ({ project }, id) => parts.packageReader.find(project.id, id)),
    ask: async ({ browser, places }, { place, thing: { id, name, version } }) => ({
      title: `Remove the package ${name} ${version}?`,
      consequences: ['All of its files go with it.', LATER],
      button: 'Remove package',
      cancel: `${listOf(place)}/${id}`,
      frame: await places.ofProject(browser, place, TAB),
    }),
    act: async (_context, { place, thing }) => {
      await parts.packages.remove(place, thing);
      return { notice: `Package ${thing.name} ${thing.version} removed.`, to: listOf(place) };
    },
  });

  addRemovalPage<Removing<PackageFile>>(pages, {
    path: '/*path/-/package_files/:id/remove',
    find: find('File', ({ project }, id) => parts.packageReader.file(project.id, id)),
    ask: async ({ browser, places }, { place, thing: { packageId, fileName } }) => ({
      title: `Remove the file ${fileName}?`,
      consequences: [LATER, 'Where its package has an older file of this name, they find that one.'],
      button: 'Remove file',
      cancel: `${listOf(place)}/${packageId}`,
      frame: await places.ofProject(browser, place, TAB),
    }),
    act: async (_context, { place, thing }) => {
      await parts.packages.removeFile(place, thing);
      return { notice: `File ${thing.fileName} removed.`, to: `${listOf(place)}/${thing.packageId}` };
    },
  });
};
