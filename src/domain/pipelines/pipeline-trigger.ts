import { Invalid } from '../shared/domain-error.js';
import type { ProjectId, UserId } from '../shared/identifiers.js';

/** Starts pipelines of a project for whoever has its token, as if its owner had. */
export interface PipelineTrigger {
  readonly id: number;
  readonly projectId: ProjectId;
  readonly description: string;
  readonly ownerId: UserId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastUsedAt: Date | null;
}

export const MAX_TRIGGER_DESCRIPTION = 255;

/** @throws Invalid at `description`. */
export const checkTriggerDescription = (sent: string): string => {
  const description = sent.trim();
  if (description === '') throw new Invalid({ description: ["can't be blank"] });
  if (description.length > MAX_TRIGGER_DESCRIPTION)
    throw new Invalid({ description: [`is too long (maximum is ${MAX_TRIGGER_DESCRIPTION} characters)`] });
  return description;
};

const SHOWN_CHARACTERS = 4;

/** As much of a token as tells it from others, for who may not use it. */
export const beginningOfToken = (token: string): string => token.slice(0, SHOWN_CHARACTERS);
