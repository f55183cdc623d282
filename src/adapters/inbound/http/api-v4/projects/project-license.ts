import { Type } from '@sinclair/typebox';
import type { LicenseFiles } from '../../../../../application/repositories/browse/license-files.js';
import type { Actor } from '../../../../../application/shared/actor.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { RecognizeLicense } from '../../../../../application/templates/recognize-license.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { LicenseSummary } from '../../../../../domain/templates/license.js';
import type { ProjectPermission } from '../../../../../domain/workspace/workspace-policy.js';
import { nullable } from '../../validation/parameters.js';
import type { WebUrls } from '../../web-urls.js';

export interface ProjectLicenseParts {
  readonly access: WorkspaceAccess;
  readonly licenseFiles: LicenseFiles;
  readonly recognizeLicense: RecognizeLicense;
  readonly urls: WebUrls;
}

/** What is told with `license`. */
export const LICENSE_FIELDS = {
  license_url: Type.Optional(nullable(Type.String())),
  license: Type.Optional(
    nullable(
      Type.Object({
        key: Type.String({ description: 'As in `GET /templates/licenses`; `other` for one that is none of them' }),
        name: Type.String(),
        nickname: nullable(Type.String()),
        html_url: nullable(Type.String()),
        source_url: Type.Null(),
      }),
    ),
  ),
};

const NONE = { license_url: null, license: null };

const present = (license: LicenseSummary | undefined) => ({
  key: license?.key ?? 'other',
  name: license?.name ?? 'Other',
  nickname: license?.nickname ?? null,
  html_url: license?.url ?? null,
  source_url: null,
});

/** What the code of a project may be used for, for whoever may read it. */
export const licenseOf = async (
  { access, licenseFiles, recognizeLicense, urls }: ProjectLicenseParts,
  actor: Actor,
  permitted: PermittedProject<ProjectPermission>,
) => {
  const { defaultBranch, fullPath } = permitted.project;
  const code = access.alsoWhere(actor, permitted, 'read_code');
  if (defaultBranch === null || code === undefined) return NONE;
  const file = await licenseFiles.of(code);
  if (file === undefined) return NONE;
  try {
    const license = present(await recognizeLicense.execute(file.id, file.read));
    return { license_url: urls.blob(fullPath, defaultBranch, file.name), license };
  } catch (error) {
    if (error instanceof Unavailable) return NONE;
    throw error;
  }
};
