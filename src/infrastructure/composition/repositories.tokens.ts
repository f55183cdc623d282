import type { AskForHousekeeping } from '../../application/repositories/ask-for-housekeeping.js';
import type { FetchCounts } from '../../application/repositories/fetch-counts.js';
import type { Snapshots } from '../../application/repositories/snapshots.js';
import type { KeepStores } from '../../application/repositories/keep-stores.js';
import type { CheckRepositories } from '../../application/repositories/check-repositories.js';
import type { Housekeeping } from '../../application/repositories/housekeeping.js';
import type { ReceivePush } from '../../application/repositories/receive-push.js';
import type { RefReader } from '../../application/repositories/ports/ref-reader.js';
import type { CopyCode } from '../../application/repositories/copy-code.js';
import type { ChangeCode } from '../../application/repositories/operations/change-code.js';
import type { MoveRefs } from '../../application/repositories/move-refs.js';
import type { Branches } from '../../application/repositories/browse/branches.js';
import type { Changelogs } from '../../application/repositories/browse/changelogs.js';
import type { CodeStatistics } from '../../application/repositories/browse/code-statistics.js';
import type { Comparisons } from '../../application/repositories/browse/comparisons.js';
import type { Languages } from '../../application/repositories/browse/languages.js';
import type { DescriptionTemplates } from '../../application/repositories/browse/description-templates.js';
import type { LicenseFiles } from '../../application/repositories/browse/license-files.js';
import type { NamedCommits } from '../../application/repositories/browse/named-commits.js';
import type { Readmes } from '../../application/repositories/browse/readmes.js';
import type { Revisions } from '../../application/repositories/browse/revisions.js';
import type { Tags } from '../../application/repositories/browse/tags.js';
import type { AdvertiseRefs } from '../../application/repositories/advertise-refs.js';
import type { BeginCode } from '../../application/repositories/begin-code.js';
import type { OpenRepository } from '../../application/repositories/open-repository.js';
import type { ContainingRefs } from '../../application/repositories/ports/containing-refs.js';
import type { ProjectRefs } from '../../application/repositories/project-refs.js';
import type { ServeFetch } from '../../application/repositories/serve-fetch.js';
import type { SshServer } from '../../adapters/inbound/ssh/ssh-server.js';
import type { LeanPath } from '../../adapters/inbound/http/server/lean-path.js';
import type { GitStores } from '../../adapters/outbound/git/open-git-stores.js';
import type { Markup } from '../../adapters/inbound/http/pages/code/markup.js';
import type { ArchivePageParts } from '../../adapters/inbound/http/pages/code/archive-page.js';
import type { CodeWritingPagesParts } from '../../adapters/inbound/http/pages/code/code-writing-parts.js';
import type { ProtectedRefRepository } from '../../application/repositories/ports/repository-repositories.js';
import type { ProtectedRefs } from '../../application/repositories/protected-refs.js';
import type { CodeWriting } from './code-writing.js';
import type { DoCodeWorks } from '../../application/repositories/do-code-works.js';
import type { LandChanges } from '../../application/repositories/land-changes.js';
import type { Repositories } from './storages.js';
import { token } from './token.js';

/** The code of projects: what git keeps, and who may change it. */
export interface RepositoryUseCases extends CodeWriting {
  readonly refReader: RefReader;
  readonly openRepository: OpenRepository;
  readonly beginCode: BeginCode;
  readonly advertiseRefs: AdvertiseRefs;
  readonly serveFetch: ServeFetch;
  readonly receivePush: ReceivePush;
  readonly moveRefs: MoveRefs;
  readonly landChanges: LandChanges;
  readonly changeCode: ChangeCode<Repositories>;
  readonly projectRefs: ProjectRefs;
  readonly containingRefs: ContainingRefs;
  readonly copyCode: CopyCode;
  readonly keepStores: KeepStores;
  readonly housekeeping: Housekeeping;
  readonly askForHousekeeping: AskForHousekeeping;
  readonly fetchCounts: FetchCounts;
  readonly snapshots: Snapshots;
  readonly checkRepositories: CheckRepositories;
  readonly protections: Pick<ProtectedRefRepository, 'branchesOf' | 'tagsOf'>;
  readonly protectedRefs: ProtectedRefs;
  readonly revisions: Revisions;
  readonly branches: Branches;
  readonly tags: Tags;
}

/** What reads the code of projects for clients, beside branches and tags. */
export interface CodeReading {
  readonly comparisons: Comparisons;
  readonly languages: Languages;
  readonly changelogs: Changelogs;
  readonly codeStatistics: CodeStatistics;
  readonly readmes: Readmes;
  readonly licenseFiles: LicenseFiles;
  readonly descriptionTemplates: DescriptionTemplates;
  readonly namedCommits: NamedCommits;
}

export const REPOSITORY_TOKENS = {
  codeWorks: token<DoCodeWorks<Repositories>>('DoCodeWorks'),
  gitStores: token<GitStores>('GitStores'),
  codeReading: token<CodeReading>('CodeReading'),
  repositories: token<RepositoryUseCases>('RepositoryUseCases'),
  codePages: token<CodeWritingPagesParts & ArchivePageParts>('CodePagesParts'),
  apiMarkup: token<Markup>('ApiMarkup'),
  gitHttp: token<LeanPath>('GitHttp'),
  openSshServer: token<() => Promise<SshServer>>('OpenSshServer'),
} as const;
