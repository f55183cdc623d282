import { GROUP_ID, found, inGroup, inProject, PROJECT_ID } from '../../kit/guards.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';
import { pathId } from '../../validation/parameters.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import { JOB_TOKEN } from '../pipelines/for-jobs-too.js';
import { createGenericPackageRoutes } from './generic-package-routes.js';
import { forPackageReaders } from './package-callers.js';
import {
  ALL_PACKAGES,
  FILTERS,
  IN_PACKAGE,
  listFiltered,
  ONE_PACKAGE,
  PACKAGES_TAG,
  type PackageRoutesParts,
} from './package-parts.js';
import {
  GroupPackageSchema,
  PackageFileSchema,
  PackageSchema,
  presentGroupPackage,
  presentPackage,
  presentPackageFile,
} from './package-schema.js';

type Parts = PackageRoutesParts;

const { list, get, remove } = routesOf({ tag: PACKAGES_TAG });

/** One of a project, for callers who may read it, and jobs of that project. */
const forReading = (parts: Parts) =>
  found('Package', 'package_id', forPackageReaders(parts), ({ project }, id) =>
    parts.packageReader.find(project.id, id),
  );

const forRemoval = (parts: Parts) =>
  found('Package', 'package_id', inProject(parts.access, 'remove_packages'), ({ project }, id) =>
    parts.packageReader.find(project.id, id),
  );

const listPackages = (parts: Parts): Route =>
  list(ALL_PACKAGES, 'listPackages', {
    summary: 'Packages of a project',
    access: 'anyone',
    parameters: { id: PROJECT_ID, ...FILTERS, job_token: JOB_TOKEN },
    items: PackageSchema,
    guard: forPackageReaders(parts),
    read: ({ subject: { project }, parameters: asked, page }) =>
      listFiltered(asked, page, (filter) => parts.packageReader.list(project.id, filter)),
    present: (each, { subject: { project } }) => presentPackage(each, project.fullPath),
  });

const listGroupPackages = (parts: Parts): Route =>
  list('/groups/:id/packages', 'listGroupPackages', {
    summary: 'Packages of the projects of a group, and of everything below it',
    description: 'Of projects whose packages the caller may read.',
    access: 'anyone',
    parameters: { id: GROUP_ID, ...FILTERS },
    items: GroupPackageSchema,
    guard: inGroup(parts.access, 'read_group'),
    read: ({ actor, subject: { group }, parameters: asked, page }) =>
      listFiltered(asked, page, (filter) =>
        parts.packageReader.listInGroup(group.id, parts.access.viewer(actor), filter),
      ),
    present: presentGroupPackage,
  });

const getPackage = (parts: Parts): Route =>
  get(ONE_PACKAGE, 'getPackage', {
    summary: 'One package',
    access: 'anyone',
    parameters: { ...IN_PACKAGE, job_token: JOB_TOKEN },
    answer: PackageSchema,
    guard: forReading(parts),
    handle: ({ subject }) => presentPackage(subject.package, subject.project.fullPath),
  });

const removePackage = (parts: Parts): Route =>
  remove(ONE_PACKAGE, 'removePackage', {
    summary: 'Remove a package with all its files',
    access: 'user',
    parameters: IN_PACKAGE,
    guard: forRemoval(parts),
    handle: ({ subject }) => parts.packages.remove(subject, subject.package),
  });

const listPackageFiles = (parts: Parts): Route =>
  list(`${ONE_PACKAGE}/package_files`, 'listPackageFiles', {
    summary: 'Files of a package, in the order in which they came',
    access: 'anyone',
    parameters: { ...IN_PACKAGE, job_token: JOB_TOKEN },
    items: PackageFileSchema,
    guard: forReading(parts),
    read: ({ subject, page }) => parts.packageReader.files(subject.package.id, page),
    present: presentPackageFile,
  });

const removePackageFile = (parts: Parts): Route =>
  remove(`${ONE_PACKAGE}/package_files/:file_id`, 'removePackageFile', {
    summary: 'Remove one file of a package',
    description: 'The package stays, also without a file.',
    access: 'user',
    parameters: { ...IN_PACKAGE, file_id: pathId('Numeric id of the file') },
    guard: forRemoval(parts),
    handle: async ({ subject, parameters: { file_id: text } }) => {
      const id = orNotFound(identifierIn(text), 'Package file');
      const file = await parts.packageReader.file(subject.project.id, id);
      const ofPackage = file?.packageId === subject.package.id ? file : undefined;
      await parts.packages.removeFile(subject, orNotFound(ofPackage, 'Package file'));
    },
  });

/** Packages of projects, and their files. */
export const createPackageRoutes = (parts: Parts): readonly Route[] => [
  ...createGenericPackageRoutes(parts),
  listPackages(parts),
  listGroupPackages(parts),
  getPackage(parts),
  removePackage(parts),
  listPackageFiles(parts),
  removePackageFile(parts),
];
