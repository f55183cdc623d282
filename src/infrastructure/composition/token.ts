import type { ServiceIdentifier } from 'inversify';

/** Names a binding together with its type, so that wiring the wrong thing does not compile. */
export type Token<T> = ServiceIdentifier<T> & symbol;
export const token = <T>(name: string): Token<T> => Symbol(name) as Token<T>;
