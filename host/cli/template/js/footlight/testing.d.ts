import { Stage } from "./index.js";

/** A widget that is shown. */
export interface ShownWidget {
  name: string;
  data: any;
  fallback: string;
  view: any;
}

/** A stage with a script. The methods that script return the stage. */
export class TestStage extends Stage {
  answers(prompt: string, answer: Record<string, unknown>): this;
  skips(prompt: string): this;
  approves(action: string): this;
  denies(action: string, comment?: string): this;
  responds(method: string, url: string, response?: { status?: number; body?: string | Uint8Array }): this;
  fails(method: string, url: string, errorCase: string, value?: unknown): this;
  withSettings(settings: Record<string, unknown>): this;
  withState(scope: "session" | "person", key: string, value: unknown): this;
  stateValue(scope: "session" | "person", key: string): any;
  /** Fails if a reply was not used. */
  finish(): void;
  readonly shown: ShownWidget[];
  readonly asked: { prompt: string; fields: any[] }[];
  readonly requested: { action: string; subject: string; reason: string; details: any }[];
  readonly outputs: Map<string, { title: string; kind: string; mimeType: string; content: Uint8Array }>;
  readonly logs: { level: string; message: string }[];
  readonly reports: string[];
  cancelled: boolean;
}

/** Returns a stage with an empty script, which knows what the manifest beside the plugin lists. */
export function stage(): TestStage;
