// The shapes of the routes below `/api/dev`.

declare namespace fl {
    interface DevBuild {
        number: number; state: 'running' | 'failed' | 'loaded'; millis: number; bytes: number; output: string;
        changes: string[];
    }

    interface DevCall {
        tool: string; input: Record<string, unknown>; again: boolean; build: number; session: string | null;
        turn: string | null; status: string | null; log: string[]; trace: string[];
        reads: { text: string; tokens: number; images: number; isError: boolean } | null;
    }

    interface DevView {
        revision: number; folder: string; build: DevBuild; output: Tree[]; plugin: Plugin | null;
        costs: Record<string, number>; cost: number; call: DevCall | null;
    }

    /** The part of JSON Schema that forms are made of. */
    interface Schema {
        $ref?: string; $defs?: Record<string, Schema>; type?: string | string[]; title?: string; description?: string;
        properties?: Record<string, Schema>; required?: string[]; items?: Schema; enum?: unknown[]; const?: unknown;
        anyOf?: Schema[]; oneOf?: Schema[]; allOf?: Schema[]; default?: unknown; format?: string; writeOnly?: boolean;
        minimum?: number; maximum?: number; exclusiveMinimum?: number; exclusiveMaximum?: number; minLength?: number;
        maxLength?: number; pattern?: string;
    }
}
