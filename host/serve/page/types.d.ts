// The shapes of the API, as far as the page reads them. `/api/openapi.json` is the full description.

declare namespace fl {
    /** Attributes of an element, and listeners for its events. */
    interface Props { [on: `on${string}`]: (event: any) => unknown; [attribute: string]: unknown }

    /** A node of a markup tree: text, or an element. */
    type Tree = string | { tag: string; attrs?: Record<string, string>; children?: Tree[] };

    interface Position { turn: number; step: number; call: number; n: number }

    type CallResult =
        | { type: 'success'; output: unknown }
        | { type: 'error'; error: string; code?: string; details?: unknown }
        | { type: 'pending'; reason: string };

    interface Receipt {
        decision: string; action?: string; subject?: string; by?: string; at: string; reason?: string;
    }

    interface Choice { value: string; label?: string; disabled?: boolean }

    interface Field {
        name: string; type: string; label?: string; multiple?: boolean; required?: boolean; other?: boolean;
        options?: (string | Choice)[];
    }

    /** An item of the record. Which members it has depends on its type. */
    interface Item {
        id: string; type: string; position: Position; rev: number; start: string; end?: string; markup?: Tree[];
        text?: string;
        function?: string; input?: unknown; result?: CallResult; verdict?: Receipt; verdicts?: Receipt[];
        call?: string; widget?: string; data?: unknown; view?: unknown; fallback?: string;
        prompt?: string; widgets?: Field[]; state?: string; response?: string; answeredBy?: string;
        title?: string; kind?: string; mimeType?: string; size?: number; expires?: string; meta?: unknown;
        level?: string; player?: Player;
    }

    /** The player of another site, whose address the server has made. */
    interface Player { name: string; src: string; isWide: boolean }

    interface Turn {
        id: string; n: number; prompt: string; origin: string; start: string; status: string | null;
    }

    /** Any control of a form. Which members it has depends on what it is. */
    type Control = HTMLElement & {
        name: string; type: string; value: string; valueAsNumber: number; checked: boolean; disabled: boolean; multiple: boolean;
        options: HTMLOptionsCollection; validationMessage: string; checkValidity(): boolean;
    };

    interface Session {
        id: string; title: string; created: string; updated: string; turns: number; tainted: boolean;
    }

    interface VerdictOption { verdict: string; covers: string }

    interface Fact { name: string; value: string }

    interface ApprovalPayload {
        tool: string; input: unknown; reason?: string; subject?: string; session?: string; call?: string;
        action?: string; facts?: Fact[]; quotes?: { by: string; text: string }[]; details?: unknown;
        options?: VerdictOption[];
    }

    interface Request {
        type: 'ask_request' | 'approval_request'; id: string; headline?: string; markup?: Tree[];
        payload: ApprovalPayload & { prompt?: string; widgets?: Field[] };
    }

    interface Pending { session: string; waitedFor: boolean; request: Request }

    /** A frame of the live stream. Which members it has depends on its type. */
    interface Frame {
        type: string; seq?: number; session?: string; turn?: string; at?: string;
        earlier?: number; turns?: Turn[]; items?: Item[]; lines?: string[]; retries?: string;
        item?: any; id?: string; rev?: number; delta?: string; markup?: Tree[]; start?: string; end?: string;
        call?: string; message?: string; done?: number; total?: number;
        prompt?: string; origin?: string; status?: string;
        request_id?: string; how?: string; by?: string | null; tool?: string; attempt?: number; why?: string;
        payload?: any; detail?: string;
    }

    interface Tool {
        name: string; description: string; inputSchema: unknown;
        traits: { title?: string; examples?: string[]; destructive?: boolean; audience?: string };
    }

    interface Plugin {
        id: string; version: string; description: string; digest: string; tools: Tool[]; powers: string[];
    }

    interface About {
        person: string; may: 'view' | 'use' | 'approve'; version: string; renderers: string[];
        remembers: boolean; links: boolean;
        model: { name: string; isLanguageModel: boolean };
    }

    interface Grant { id: number; session: string; covers: string; why: string[]; rule?: string }
}
