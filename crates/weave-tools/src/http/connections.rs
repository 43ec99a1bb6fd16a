//! Connections to services.

use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an open connection waits for the next call.
const IDLE: Duration = Duration::from_secs(15);

type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Connections to services.
///
/// A service may close a connection at the moment when a call is sent on it, and nothing tells whether it has read the call. So a
/// call that must not be carried out twice has a connection of its own; others share connections that stay open.
#[derive(Clone, Debug)]
pub(crate) struct Connections {
    alone: HttpClient,
    shared: HttpClient,
}

impl Connections {
    /// Connections; with the certificates that this machine trusts, if there are services over HTTPS.
    pub(crate) fn new(https: bool) -> Result<Self, String> {
        let wrong = |error: &dyn std::error::Error| format!("HTTPS cannot be used: {error}");
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(&error))?;
        let config = if https {
            use hyper_rustls::ConfigBuilderExt as _;
            config.with_native_roots().map_err(|error| wrong(&error))?
        } else {
            config.with_root_certificates(RootCertStore::empty())
        };
        let config = config.with_no_client_auth();
        let client = |idle: usize| {
            let mut http = HttpConnector::new();
            http.enforce_http(false);
            http.set_connect_timeout(Some(CONNECT));
            http.set_nodelay(true);
            let connector =
                HttpsConnectorBuilder::new().with_tls_config(config.clone()).https_or_http().enable_http1().wrap_connector(http);
            let mut builder = Client::builder(TokioExecutor::new());
            builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE).pool_max_idle_per_host(idle);
            builder.retry_canceled_requests(false).build(connector)
        };
        Ok(Self { alone: client(0), shared: client(64) })
    }

    /// The connections for a call.
    pub(crate) const fn of(&self, once_only: bool) -> &HttpClient {
        if once_only { &self.alone } else { &self.shared }
    }
}
