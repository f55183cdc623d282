import type { Badges } from '../../application/badges/badges.js';
import type { BadgeReader } from '../../application/badges/ports/badge-ports.js';
import type { CodeStateReader } from '../../application/badges/ports/code-states.js';
import type { RenderBadges } from '../../application/badges/render-badges.js';
import { token } from './token.js';

/** Small pictures that tell how a project stands. */
export interface BadgeUseCases {
  readonly badges: Badges;
  readonly badgeReader: BadgeReader;
  readonly renderBadges: RenderBadges;
  readonly codeStates: CodeStateReader;
}

export const BADGE_TOKENS = {
  badges: token<BadgeUseCases>('BadgeUseCases'),
} as const;
