import type { Application } from '../../../domain/oauth/application.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';

export type NewApplication = Omit<Application, 'id'> & { readonly secretDigest: string };

export interface ApplicationRepository {
  add(application: NewApplication): Promise<Application>;
  /** False when there is none. */
  remove(id: number): Promise<boolean>;
}

export interface ApplicationReader {
  list(page: PageRequest): Promise<Page<Application>>;
}
