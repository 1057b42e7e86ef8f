# Varnish between a proxy with TLS and the service: /etc/varnish/default.vcl. Needs Varnish 6.0 or later. Varnish stores answers,
# and checks each one with its ETag before it is used, so that no client gets an outdated answer.
# Replace the address of the service, and set TRUSTED_PROXIES to the addresses of Varnish and of the proxy before it.
vcl 4.1;

backend default {
    .host = "127.0.0.1";
    .port = "3450";
    .first_byte_timeout = 75s;
}

sub vcl_recv {
    # All other answers depend on the caller, or are streams of events.
    if (req.url !~ "^/((v1|q)/|e/[^/?]+\.(svg|png)(\?|$))") {
        return (pipe);
    }
}

sub vcl_backend_response {
    # By default, Varnish does not store such an answer, and it forgets one without a lifetime. After the shortest lifetime, it is
    # kept only for checks.
    if (beresp.status == 200 && beresp.http.ETag && beresp.http.Cache-Control == "public, no-cache") {
        set beresp.ttl = 1ms;
        set beresp.grace = 0s;
        set beresp.keep = 1d;
        return (deliver);
    }
}
