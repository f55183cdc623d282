import type { ProjectId } from '../../../domain/shared/identifiers.js';
import type { Person } from './audience-ports.js';

/** Makes HTML of what somebody wrote in Markdown, with whole addresses, as far as its reader may open them. */
export interface MailMarkup {
  /** Undefined where it is to be shown as it was written. */
  html(text: string, projectId: ProjectId, reader: Pick<Person, 'id' | 'admin'>): Promise<string | undefined>;
}
