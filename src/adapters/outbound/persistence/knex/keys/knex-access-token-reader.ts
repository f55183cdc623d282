import type { AccessTokenQuery, AccessTokenReader } from '../../../../../application/keys/ports/access-token-reader.js';
import type { BotPlace } from '../../../../../domain/identity/bot.js';
import type { AccessToken } from '../../../../../domain/identity/personal-access-token.js';
import type { Page } from '../../../../../domain/shared/page.js';
import { botsOfPlace } from '../identity/knex-bot-repository.js';
import { narrowTokens } from '../identity/narrow-tokens.js';
import { toPersonalAccessToken, type PersonalAccessTokenRow } from '../identity/personal-access-token-row.js';
import { pageOfRows } from '../page-of-rows.js';
import type { Session } from '../session.js';

type AccessTokenRow = PersonalAccessTokenRow & { readonly bot_access_level: number };

export class KnexAccessTokenReader implements AccessTokenReader {
  constructor(private readonly session: Session) {}

  async find(place: BotPlace, id: number): Promise<AccessToken | undefined> {
    const row = (await this.#of(place).where('personal_access_tokens.id', id).first()) as AccessTokenRow | undefined;
    return row && this.#toToken(row);
  }

  list({ place, page, ...filters }: AccessTokenQuery): Promise<Page<AccessToken>> {
    const list = this.#of(place);
    narrowTokens(this.session, list, filters);
    return pageOfRows(this.session, list, page, (row: AccessTokenRow) => this.#toToken(row));
  }

  #of(place: BotPlace) {
    return this.session
      .query('personal_access_tokens')
      .join('users', 'users.id', 'personal_access_tokens.user_id')
      .where(botsOfPlace(place))
      .select('personal_access_tokens.*', 'users.bot_access_level');
  }

  #toToken(row: AccessTokenRow): AccessToken {
    return { ...toPersonalAccessToken(row, this.session.dialect), accessLevel: row.bot_access_level };
  }
}
