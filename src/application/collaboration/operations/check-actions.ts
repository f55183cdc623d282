import { MAX_ACTIONS } from '../../../domain/collaboration/quick-action.js';
import { Invalid } from '../../../domain/shared/domain-error.js';

/** @throws Invalid at `attribute` for a text that asks for more than one may. */
export const checkActions = (actions: readonly unknown[], attribute: string): void => {
  if (actions.length > MAX_ACTIONS)
    throw new Invalid({ [attribute]: [`has too many quick actions (maximum is ${MAX_ACTIONS})`] });
};
