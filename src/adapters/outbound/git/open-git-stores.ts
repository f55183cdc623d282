import { availableParallelism } from 'node:os';
import type {
  ArchiveWriter,
  FileSearch,
  HistoryReader,
  Merger,
  ObjectIntake,
  ObjectReader,
  PackMaker,
  PackSender,
  RefProjector,
  StoreKeeper,
  StoreSnapshots,
} from '../../../application/repositories/ports/object-stores.js';
import type { Remotes } from '../../../application/repositories/ports/remotes.js';
import type { StoreMaintenance } from '../../../application/repositories/ports/housekeeping.js';
import { CatFilePool } from './cat-file-pool.js';
import { ChildSlots, type ChildBounds } from './child-slots.js';
import { createFindGit } from './find-git.js';
import { FolderStoreSnapshots } from './folder-store-snapshots.js';
import { GitArchiveWriter } from './git-archive-writer.js';
import { GitFileSearch } from './git-file-search.js';
import { GitHistoryReader } from './git-history-reader.js';
import { GitMerger } from './git-merger.js';
import { GitObjectIntake } from './git-object-intake.js';
import { GitObjectReader } from './git-object-reader.js';
import { GitPackMaker } from './git-pack-maker.js';
import { GitPackSender } from './git-pack-sender.js';
import { GitRefProjector } from './git-ref-projector.js';
import { GitRemotes, type FindPinnedAddress } from './git-remotes.js';
import { GitStoreMaintenance } from './git-store-maintenance.js';
import { GitStoreKeeper } from './git-store-keeper.js';
import { Git } from './git.js';
import { Runner } from './runner/runner.js';
import { StoreFolders } from './store-folders.js';

export interface GitSettings {
  readonly directory: string;
  readonly binary: string;
  /** Bytes of a push. */
  readonly pushLimit: number;
  /** Where repositories elsewhere may be reached; nowhere without it. */
  readonly findAddress?: FindPinnedAddress;
}

/** Every port of repositories that git answers. */
export interface GitStores {
  readonly objects: ObjectReader;
  readonly history: HistoryReader;
  readonly search: FileSearch;
  readonly merger: Merger;
  readonly archives: ArchiveWriter;
  readonly intake: ObjectIntake;
  readonly packs: PackSender;
  readonly packMaker: PackMaker;
  readonly keeper: StoreKeeper;
  readonly snapshots: StoreSnapshots;
  readonly maintenance: StoreMaintenance;
  readonly projector: RefProjector;
  readonly remotes: Remotes;
  /** The process that starts git, while it runs. */
  runnerPid(): number | undefined;
  close(): void;
}

/** Slow clients hold their slots for long: more than there are cores keep the others going. */
const LEAST_HEAVY = 16;
const LEAST_LIGHT = 8;
/** Git has no deadline of its own: whoever clones rather waits than fails. */
const HEAVY_WAIT_MS = 300_000;
const LIGHT_WAIT_MS = 30_000;

/** Neither one store nor one caller takes what the others need. */
const boundsOf = (cores: number, least: number, waitMs: number): ChildBounds => {
  const most = Math.max(cores * 4, least);
  return { most, ofStore: most / 2, ofCaller: Math.max(cores * 2, most / 4), waitMs };
};

const reachNobody: FindPinnedAddress = () => Promise.resolve(undefined);

/** Nothing is started before it is asked for. */
export const openGitStores = ({ directory, binary, pushLimit, findAddress = reachNobody }: GitSettings): GitStores => {
  const cores = availableParallelism();
  const runner = new Runner();
  const git = new Git({
    runner,
    binary,
    folders: new StoreFolders(directory),
    heavy: new ChildSlots(boundsOf(cores, LEAST_HEAVY, HEAVY_WAIT_MS)),
    light: new ChildSlots(boundsOf(cores, LEAST_LIGHT, LIGHT_WAIT_MS)),
  });
  const pool = new CatFilePool(git);
  const objects = new GitObjectReader(git, pool);
  return {
    objects,
    history: new GitHistoryReader(git, objects),
    search: new GitFileSearch(git),
    merger: new GitMerger(git, objects),
    archives: new GitArchiveWriter(git),
    intake: new GitObjectIntake(git, pool, objects, pushLimit),
    packs: new GitPackSender(git),
    packMaker: new GitPackMaker(git),
    keeper: new GitStoreKeeper(git, pool, createFindGit(binary)),
    snapshots: new FolderStoreSnapshots(git),
    maintenance: new GitStoreMaintenance(git, pool),
    projector: new GitRefProjector(git),
    remotes: new GitRemotes(git, findAddress),
    runnerPid: () => runner.pid,
    close: () => {
      pool.close();
      runner.close();
    },
  };
};
