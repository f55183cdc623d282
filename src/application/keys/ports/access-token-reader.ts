import type { BotPlace } from '../../../domain/identity/bot.js';
import type { AccessToken } from '../../../domain/identity/personal-access-token.js';
import type { Page, PageRequest } from '../../../domain/shared/page.js';
import type { TokenFilters } from '../../identity/ports/identity-readers.js';

export interface AccessTokenQuery extends TokenFilters {
  readonly place: BotPlace;
  readonly page: PageRequest;
}

export interface AccessTokenReader {
  find(place: BotPlace, id: number): Promise<AccessToken | undefined>;
  list(query: AccessTokenQuery): Promise<Page<AccessToken>>;
}
