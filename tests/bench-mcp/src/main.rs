//! A native MCP server over stdio with the tools `pass` and `work`: what a plugin is compared with.

#![forbid(unsafe_code)]

#[path = "../../bench-guest/src/sorting.rs"]
mod sorting;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;

struct Server;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let text = arguments.get("text").and_then(Value::as_str);
        let text = text.unwrap_or_default();
        let answer = if request.name == "pass" {
            text.to_owned()
        } else {
            sorting::sorted(text)
                .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(answer)]).into())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let running = Server.serve(rmcp::transport::stdio()).await?;
    running.waiting().await?;
    Ok(())
}
