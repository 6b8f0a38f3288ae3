import type { Configuration } from './configuration.ts';
import type { ConfigurationState, ConfigurationStep } from './lifecycle.ts';

/** Why a setting is as it is: the lines of the use-case file that led to it. */
export interface DerivedSetting {
  /** The path of the setting, such as `retention.base_days`. */
  readonly setting: string;
  readonly value: unknown;
  /** In a sentence. */
  readonly because: string;
  /** From 1, with their words. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** A setting that the use-case file does not mention, so that its default stands. */
export interface DefaultedSetting {
  readonly setting: string;
  readonly value: unknown;
  readonly because: string;
}

/** Explains how a configuration was derived from a use-case file. */
export interface ConfigurationExplanation {
  readonly by: 'rules' | 'model';
  readonly derivedSettings: readonly DerivedSetting[];
  readonly defaultedSettings: readonly DefaultedSetting[];
  readonly warnings: readonly string[];
}

/** One step in the history of a version. */
export interface StepRecord {
  readonly step: ConfigurationStep;
  /** `admin:` with the id of the token. */
  readonly actor: string;
  readonly at: Date;
  readonly comment: string | null;
}

/** A version, as it is shown. */
export interface ConfigurationRecord {
  readonly version: number;
  readonly state: ConfigurationState;
  /** Raised with each change: a change that names another one than the present is refused. */
  readonly revision: number;
  /** The version in force that its settings began from. */
  readonly baseVersion: number | null;
  /** A rollback: the version whose settings these are. */
  readonly restoredVersion: number | null;
  /** The version that was in force before it. */
  readonly previousActiveVersion: number | null;
  readonly createdAt: Date;
  readonly body: Configuration;
  readonly explanation: ConfigurationExplanation | null;
  /** The oldest first. */
  readonly steps: readonly StepRecord[];
}
