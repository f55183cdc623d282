import { Type } from '@sinclair/typebox';
import type { PackageOfGroup } from '../../../../../application/packages/ports/package-ports.js';
import type { Package, PackageFile } from '../../../../../domain/packages/package.js';
import { component } from '../../openapi/component.js';
import { nullable } from '../../validation/parameters.js';

const instant = Type.String({ format: 'date-time' });

const PACKAGE = {
  id: Type.Integer(),
  name: Type.String(),
  version: Type.String(),
  package_type: Type.Literal('generic'),
  status: Type.String({ description: '`default`, or `hidden`: left out of lists that don’t ask for it' }),
  created_at: instant,
  last_downloaded_at: nullable(instant),
  tags: Type.Array(Type.String(), { description: 'None' }),
  _links: Type.Object({ web_path: Type.String({ description: 'Path of its page' }) }),
};

export const PackageSchema = component('schemas/Package', Type.Object(PACKAGE));

export const GroupPackageSchema = component(
  'schemas/GroupPackage',
  Type.Object({ ...PACKAGE, project_id: Type.Integer(), project_path: Type.String() }),
);

export const PackageFileSchema = component(
  'schemas/PackageFile',
  Type.Object({
    id: Type.Integer(),
    package_id: Type.Integer(),
    created_at: instant,
    updated_at: instant,
    file_name: Type.String(),
    size: Type.Integer({ description: 'In bytes' }),
    file_sha256: Type.String(),
    file_sha1: Type.String(),
    file_md5: Type.String(),
  }),
);

/** Clients tell by it where the file is. */
export const SentPackageFileSchema = component(
  'schemas/SentPackageFile',
  Type.Composite([PackageFileSchema, Type.Object({ file: Type.Object({ url: Type.String() }) })]),
);

export const TakenSchema = component('schemas/TakenPackageFile', Type.Object({ message: Type.String() }));

/** @param url where it is downloaded. */
export const presentSentFile = (file: PackageFile, url: string) => ({ ...presentPackageFile(file), file: { url } });

/** @param projectPath of its project. */
export const presentPackage = (of: Package, projectPath: string) => ({
  id: of.id,
  name: of.name,
  version: of.version,
  package_type: 'generic' as const,
  status: of.status,
  created_at: of.createdAt.toISOString(),
  last_downloaded_at: of.lastDownloadedAt?.toISOString() ?? null,
  tags: [],
  _links: { web_path: `/${projectPath}/-/packages/${of.id}` },
});

export const presentGroupPackage = (of: PackageOfGroup) => ({
  ...presentPackage(of, of.projectPath),
  project_id: of.projectId,
  project_path: of.projectPath,
});

/** It never changes. */
export const presentPackageFile = (file: PackageFile) => ({
  id: file.id,
  package_id: file.packageId,
  created_at: file.createdAt.toISOString(),
  updated_at: file.createdAt.toISOString(),
  file_name: file.fileName,
  size: file.size,
  file_sha256: file.sha256,
  file_sha1: file.sha1,
  file_md5: file.md5,
});
