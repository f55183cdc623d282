import type { LocateCode } from '../../../../../application/repositories/locate-code.js';
import type {
  FileSearch,
  HistoryReader,
  ObjectReader,
} from '../../../../../application/repositories/ports/object-stores.js';
import type { PipelineReader } from '../../../../../application/pipelines/ports/pipeline-ports.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import type { WebUrls } from '../../web-urls.js';
import type { ProjectMarkdown } from '../project-markdown.js';
import type { LastCommits } from './last-commits.js';
import type { Markup } from './markup.js';

/** What pages of code need that show Markdown, or texts that name something. */
export type CodeTextParts = CodePagesParts & { readonly markdown: ProjectMarkdown };

export interface CodePagesParts {
  readonly access: WorkspaceAccess;
  readonly locate: LocateCode;
  readonly refReader: RefReader;
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly search: FileSearch;
  readonly pipelineReader: PipelineReader;
  readonly lastCommits: LastCommits;
  readonly markup: Markup;
  readonly urls: WebUrls;
}
