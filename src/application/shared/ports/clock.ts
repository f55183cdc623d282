export interface Clock {
  /** The present instant. Calendar days are read off it in UTC. */
  now(): Date;
}
