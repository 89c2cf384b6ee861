// Made of openapi.json by `npm run docs`; not to be edited.

export interface paths {
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, OpenAPI 3.1 */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process answers */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The service takes, stores and answers; 503 says why not, `damage` what is damaged */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters and timings for Prometheus */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The projects the key may see */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One project */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /** Delete a project that has no assets */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /** Change a project; absent fields stay as they are */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/api/v1/projects/{project_id}/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a project has stored, and what its quota leaves */
        get: operations["getProjectStorage"];
        /**
         * Give a project a quota of its own
         * @description `limit_mib: null` restores the quota of the installation (`PROJECT_STORAGE_MIB`). A project that has stored more keeps its files, and can store no more.
         */
        put: operations["setProjectStorage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The logo of a project, PNG
         * @description 404 where it has none. Has an entity tag.
         */
        get: operations["getProjectLogo"];
        /**
         * Set the logo that reports and printed pages of a project show
         * @description The file itself as the body: PNG, JPEG or WebP of at most 1 MiB and 4096 pixels a side. Its content counts, not the type that is named. It is written anew as PNG of at most 720 x 240 pixels, on white. No SVG: it can run and fetch things.
         */
        put: operations["putProjectLogo"];
        post?: never;
        /** Remove the logo of a project */
        delete: operations["deleteProjectLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mqtt/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether an external MQTT broker may let a client in (EMQX HTTP authentication) */
        post: operations["authenticateMqtt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mqtt/acl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a client may publish or subscribe (EMQX HTTP authorisation) */
        post: operations["authorizeMqtt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API keys, revoked ones too, without their secrets */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key, which is shown once */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the key of this request, or the asset whose secret it has, may do */
        get: operations["getOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One API key, without its secret */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /** Revoke an API key; effective within 5 s everywhere, for HTTP, MQTT and sessions */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Rename an API key; all else of it is as it was made
         * @description What was recorded under the name before keeps it.
         */
        patch: operations["updateKey"];
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session of this request, and what its key may do; 404 for a request with a key */
        get: operations["getOwnSession"];
        put?: never;
        /**
         * Log a browser in with an API key
         * @description Answers with a cookie that requests without `Authorization` may have instead of the key. Requests with the cookie that are not GET or HEAD are taken from pages of this service alone: `Sec-Fetch-Site: same-origin`, or else its own `Origin`, and with a body that is not JSON the header `X-Plumbline-Console: 1`. At most 10 wrong keys per address and 30 log-ins per key in a minute; a key has 50 sessions at most, of which the least recently used ends first
         */
        post: operations["createSession"];
        /** Log out; 404 for a request with a key */
        delete: operations["deleteOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Browsers that are logged in, with which key and from where */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Log a browser out; effective within 5 s everywhere, streams included */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events, in the order in which they became known, or with before newest first */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events as they become known, as server-sent events
         * @description Each event comes with its sequence as `id`, its type as `event` and the object of GET /events as `data`. A client that reconnects with `Last-Event-ID` misses none and gets none twice. At most 5 streams per key or session; a client that reads too slowly is disconnected and can reconnect
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A backup of the embedded stores, made while the service runs
         * @description A tar archive of the data folder with checksums, for `plumbline restore`. It holds every secret of the installation. 409 while another one is made, and where the records are in PostgreSQL. An archive without `manifest.json` at its end was cut off.
         */
        get: operations["getBackup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the service is ready, its backlog, queue, disk, version and backup */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhooks that send only events of projects that the key may see */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have events posted to a URL; the signing secret is shown once
         * @description Messages follow Standard Webhooks: headers webhook-id, webhook-timestamp and webhook-signature, body {type, timestamp, data}. Begins with the next event.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One webhook, without its secret */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Remove a webhook and its delivery log */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook; absent fields stay as they are
         * @description What happens while it is disabled is posted when it is enabled, unless `skip_missed` is true. Changed types and projects apply to every event that is recorded after the answer, and to older ones that are not posted yet. Events that are older than RETENTION_DAYS are deleted while a webhook is disabled.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new signing secret; the old one stays valid beside it for a while */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The deliveries of a webhook's messages, newest event first */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries/{sequence}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post one message again, under the same id */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post everything since an event again, each message under the same id
         * @description At most 500 events a call, one call at a time: `has_more` says whether to go on from `next_cursor`. Events that were never posted are still pending and not counted.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post a `webhook.test` message now and return the response */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forwarders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Forwarders of projects that the key may see, with how far each has come */
        get: operations["listForwarders"];
        put?: never;
        /**
         * Pass readings on to another system, from now on
         * @description At least once, in order per asset, from the journal: a reading may come twice after a crash. `traccar_http` posts {position, device} as a Traccar server forwards it; `mqtt` publishes with QoS 1.
         */
        post: operations["createForwarder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/forwarders/{forwarder_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One forwarder with how far it has come, without its credentials */
        get: operations["getForwarder"];
        put?: never;
        post?: never;
        /** Remove a forwarder; nothing more is passed on to it */
        delete: operations["deleteForwarder"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a forwarder; absent fields stay as they are
         * @description What was received while it was disabled is passed on when it is enabled, as far as the journal still has it, unless `skip_missed` is true.
         */
        patch: operations["updateForwarder"];
        trace?: never;
    };
    "/api/v1/console/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the web console starts with: base map, units, version, where devices connect */
        get: operations["getConsoleConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts of a project, or of all that the key may see
         * @description A part whose scope the key lacks is null.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Measurements, captures and labels that are worked on or were, newest first
         * @description Of the areas that the key may read. Ended ones are kept for 30 days.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a job has come, and where its result is
         * @description While it is queued or runs, Retry-After says when to poll again.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel a job that is queued or runs
         * @description For everybody who waits for it. Answers with the job: a queued one is canceled, one that runs ends at its next step (`cancel_requested`). One that was completed or failed: 409.
         */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Equipment and assets with their current status */
        get: operations["listAssets"];
        put?: never;
        /** Register an asset and get its MQTT credentials, which are shown once */
        post: operations["createAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/location": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where an asset is, and where it has been */
        get: operations["getAssetLocation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The readings of an asset, as received or per interval */
        get: operations["getAssetTelemetry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One asset with all its fields */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        /** Remove an asset; its device is disconnected, its history stays */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        /** Change an asset; absent fields stay as they are */
        patch: operations["updateAsset"];
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new MQTT password; the old one and its session end immediately */
        post: operations["rotateAssetCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/utilization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Working time per local day of the asset's project */
        get: operations["getAssetUtilization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/utilization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Working time of all assets, added up by asset, type or day
         * @description The same days as `getAssetUtilization`. At most 92 days, and 40000 assets times days.
         */
        get: operations["getFleetUtilization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where assets were in [from, to): pieces, stops, gaps and crossings of fences
         * @description At most 7 days, and 1000000 positions of all assets. Longer tracks are thinned: ends of pieces, stops and late stretches, extremes and the shape stay.
         */
        get: operations["getTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An asset's commands, newest first */
        get: operations["listCommands"];
        put?: never;
        /**
         * Send a command to an asset's device, now or when it is connected
         * @description Stored before the answer, and sent in order: the next command of an asset goes when the one before is confirmed or has ended. 409: the asset has 100 open commands or its project 5,000, or devices are at an external MQTT broker, which commands do not reach. Each status is an event, `equipment.command.*`.
         */
        post: operations["createCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/commands/{command_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One command, with the device's answer */
        get: operations["getCommand"];
        put?: never;
        post?: never;
        /**
         * Cancel a command that has not been sent
         * @description 409 once it is sent. A cancelled command stays in the list.
         */
        delete: operations["cancelCommand"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/geofences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fences, oldest first */
        get: operations["listGeofences"];
        put?: never;
        /** Create a virtual boundary to monitor equipment entry and exit */
        post: operations["createGeofence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/geofences/{geofence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One fence */
        get: operations["getGeofence"];
        put?: never;
        post?: never;
        /** Remove a fence; visits in it end now, and stay on record */
        delete: operations["deleteGeofence"];
        options?: never;
        head?: never;
        /** Change a fence from now on; earlier fixes keep the shape of their time */
        patch: operations["updateGeofence"];
        trace?: never;
    };
    "/api/v1/equipment/geofences/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show who is inside a fence now, and its crossings in a past range; nothing is stored */
        post: operations["previewGeofence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/geofences/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import fences from GeoJSON or KML, all of them or none
         * @description The file itself as the body, up to 8 MiB and 10000 features: a GeoJSON FeatureCollection, or KML. A Polygon is a fence; a Point with the property `radius_m` is a circle, a LineString with `width_m` a corridor. The properties `kind`, `alert_on`, `exit_buffer_m`, `confirm_fixes` and `min_dwell_s` mean what they mean on POST /geofences; `alert_on` may be `none`. What is wrong is listed in `error.details` by feature and position, and nothing is imported.
         */
        post: operations["importGeofences"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stays of assets in fences that overlap [from, to), newest first */
        get: operations["listVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/geofences/{geofence_id}/visits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stays in one fence that overlap [from, to), newest first */
        get: operations["listGeofenceVisits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alerts/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge alerts by their ids, or the open ones that a filter matches
         * @description At most 1000, all of them or none. 404: one of `alert_ids` is not there; `details` names it.
         */
        post: operations["acknowledgeAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alert-mutes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mutes of alerts, newest first */
        get: operations["listAlertMutes"];
        put?: never;
        /**
         * Mute a rule for an asset until a time
         * @description Its alerts that open until then are stored as acknowledged by this key, with the mute's note. Open alerts, events and the asset's status do not change. An alert that becomes worse than `max_severity` opens after all. 409: the asset has 50 mutes in force.
         */
        post: operations["createAlertMute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alert-mutes/{mute_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a mute now; alerts that it acknowledged stay so */
        delete: operations["deleteAlertMute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Alerts opened in [from, to), newest first */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alerts/{alert_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One alert */
        get: operations["getAlert"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/alerts/{alert_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Acknowledge an alert; the first acknowledgement stays */
        post: operations["acknowledgeAlert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/maintenance-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan that holds for an asset: its own, else that of its type */
        get: operations["getAssetMaintenancePlan"];
        /** Set an asset's own plan, which replaces that of its type as a whole */
        put: operations["putAssetMaintenancePlan"];
        post?: never;
        /** Remove an asset's own plan; that of its type holds again */
        delete: operations["deleteAssetMaintenancePlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/projects/{project_id}/maintenance-plans/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The plan of a type of assets in a project */
        get: operations["getTypeMaintenancePlan"];
        /** Set the plan of every asset of a type in a project that has none of its own */
        put: operations["putTypeMaintenancePlan"];
        post?: never;
        /** Remove the plan of a type; assets keep their own plans */
        delete: operations["deleteTypeMaintenancePlan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Services of an asset that are due, limits that it exceeds, faults that it has */
        get: operations["getAssetMaintenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Services of an asset, newest first */
        get: operations["listServices"];
        put?: never;
        /** Record a service that was done; its interval starts anew */
        post: operations["recordService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last attempts of an asset to connect, and the ends of its connections
         * @description At most 50 are kept. They appear within some seconds.
         */
        get: operations["listAssetConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/unknown-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last attempts to connect under names that no asset has
         * @description User names, IMEIs and ids that are not registered, failed TLS handshakes, and failed log-ins of readers. At most 500 are kept.
         */
        get: operations["listUnknownConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/assets/{asset_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last messages of an asset, and what became of each
         * @description At most 50, fewer in a large fleet, since the service started. A device that sends for others, such as an edge node or a gateway, has their messages too.
         */
        get: operations["listAssetMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/mappings/{asset_type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The mapping of a type of asset */
        get: operations["getMapping"];
        /** Set how payloads of a type of asset become readings, from their next message on */
        put: operations["putMapping"];
        post?: never;
        /** Remove a mapping that no asset needs */
        delete: operations["deleteMapping"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Mappings by type; a key of some projects sees those of its assets' types */
        get: operations["listMappings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show what a sample payload would become; nothing is stored */
        post: operations["dryRunPayload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Messages that could not be decoded, newest first */
        get: operations["listQuarantine"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/quarantine/{message_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decode a message again, for example after its asset's decoder was corrected */
        post: operations["replayQuarantined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/fleet-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Servers of other makers that are polled, with the outcome of the last poll */
        get: operations["listFleetSources"];
        put?: never;
        /**
         * Poll another maker's ISO 15143-3 (AEMP 2.0) server; begins immediately
         * @description Readings go to the assets whose hardware_id is the PIN, serial number or equipment id of a machine. For keys that see every project.
         */
        post: operations["createFleetSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/equipment/fleet-sources/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One source, with problems and unknown machines of the last poll */
        get: operations["getFleetSource"];
        put?: never;
        post?: never;
        /** Stop polling a server; what was read from it stays */
        delete: operations["deleteFleetSource"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a source; absent fields stay as they are
         * @description New credentials replace all old ones, and are needed when the URL leads to another server. An active source is polled immediately.
         */
        patch: operations["updateFleetSource"];
        trace?: never;
    };
    "/api/v1/equipment/fleet-sources/{source_id}/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Poll a source now; last_poll shows the outcome */
        post: operations["pollFleetSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store images, and get addresses to name them by in other requests
         * @description Up to 300 JPEG, PNG, TIFF or WebP files of at most 50 MiB as multipart/form-data, under any field name. Each has a result of its own, in their order; 400 `unusable_images` when none was stored. Needs `progress:write` or `materials:write`.
         */
        post: operations["uploadImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/projects/{project_id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest schedule, its planned percent now, and how its activities match zones */
        get: operations["getSchedule"];
        /**
         * Import a schedule as the newest revision
         * @description The file itself as the body, up to 20 MiB and 50000 activities: Primavera P6 XER, MS Project XML, or CSV (zone, task, start, finish, weight, curve, or date, zone, planned_percent). The same file as the newest revision is answered with 200. Problems are listed with their lines in `error.details`.
         */
        put: operations["putSchedule"];
        /**
         * What an import would match to zones; stores nothing
         * @description Groups are WBS paths and codes: values for `activities` of a zone.
         */
        post: operations["dryRunSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/projects/{project_id}/schedule/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Imported schedules of a project, newest first */
        get: operations["listScheduleRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/projects/{project_id}/schedule/planned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Planned percent of project and zones, at a time or over time
         * @description By the newest schedule; without one linear between the project's planned dates. With at: at that time. Else every interval_days (default 7) of 24 h, by default over the whole plan; up to 400 times.
         */
        get: operations["getPlannedProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/projects/{project_id}/curve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plan, progress with intervals by report, and forecast of a project over time
         * @description By the newest schedule, else a line between the project's planned dates. Weights, earned value and forecast are the newest report's.
         */
        get: operations["getProgressCurve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/zones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Work zones, oldest first */
        get: operations["listZones"];
        put?: never;
        /**
         * Create a work zone: a part of a project whose progress is reported separately
         * @description Metrics of surfaces need a polygon, a design by PUT .../surfaces/design, and a baseline alike, or by the first flight while the declared progress is 0.
         */
        post: operations["createZone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/zones/{zone_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One work zone */
        get: operations["getZone"];
        put?: never;
        post?: never;
        /** Remove a work zone with its surfaces, observations and labels; reports keep it, and its id stays taken */
        delete: operations["deleteZone"];
        options?: never;
        head?: never;
        /**
         * Change a work zone
         * @description Absent fields stay; null removes polygon, weight or activities. Reports and earlier estimates keep their figures; another metric or polygon holds from the next capture on. A baseline stays too.
         */
        patch: operations["updateZone"];
        trace?: never;
    };
    "/api/v1/progress/zones/{zone_id}/surfaces/{surface}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the baseline (the ground before work began) or the design of a work zone
         * @description JSON with one height, or the address of an uploaded GeoTIFF; or the file itself, up to 50 MiB: a GeoTIFF of heights, or LandXML with a TIN. It must reach the zone's polygon.
         */
        put: operations["putZoneSurface"];
        post?: never;
        /**
         * Remove the baseline or the design of a work zone
         * @description Without a baseline the next flight makes one, if the declared progress is 0.
         */
        delete: operations["deleteZoneSurface"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/zones/{zone_id}/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Observations of a work zone by people, newest first */
        get: operations["listObservations"];
        put?: never;
        /**
         * Record what a person saw of a work zone
         * @description Reports of later captures count it as evidence; 100 confirms the zone complete.
         */
        post: operations["createObservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Progress reports of a project, newest capture first
         * @description Of corrected ones the newest revision.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/reports/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One progress report with its zones
         * @description A report never changes: a correction is another one, which `Link: <...>; rel="successor-version"` then names. Its addresses are signed anew each day (UTC), and with them the ETag changes.
         */
        get: operations["getReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/reports/{report_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changed since the report before, by zone
         * @description A zone that was not seen again has no difference.
         */
        get: operations["getReportChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/reports/{report_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A progress report as JSON, or as a page to read and to print */
        get: operations["getReportPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/reports/{report_id}/corrections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct zones of a report by hand, which makes its next revision
         * @description The report stays as it is. Each correction counts as an observation, and as a label of the capture's pictures of the zone. 409: it was corrected already; correct its newest revision.
         */
        post: operations["correctReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/cameras": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fixed cameras, oldest first */
        get: operations["listCameras"];
        put?: never;
        /**
         * Create a fixed camera by its reference view, with the zones that it sees
         * @description Images are assigned by `#camera={id}` behind their addresses, `flight_metadata.camera_id`, the beginning of their addresses, or their content. One that is shifted by more than 10 % of its width suspends the camera until PATCH sets a new `reference_image`.
         */
        post: operations["createCamera"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/cameras/{camera_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One fixed camera */
        get: operations["getCamera"];
        put?: never;
        post?: never;
        /** Remove a camera with its labels; reports keep their figures, its id stays taken */
        delete: operations["deleteCamera"];
        options?: never;
        head?: never;
        /**
         * Change a camera; a new reference view ends its suspension
         * @description A new `reference_image` ends a suspension; labels of an earlier one no longer count.
         */
        patch: operations["updateCamera"];
        trace?: never;
    };
    "/api/v1/progress/zones/{zone_id}/calibrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Labels of a zone, newest first, and the state of its models */
        get: operations["listCalibrations"];
        put?: never;
        /**
         * Label an image of a zone with its progress, or its stage
         * @description With `capture_id`: labels that capture's views of the zone, at once. With `image_url` and `camera_id`: the image is registered to the reference view first, which takes seconds; without `camera_id` it is a photograph for the metric stages. Estimates need 5 labels, intervals 9; stages 5 each.
         */
        post: operations["createCalibration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/zones/{zone_id}/calibrations/{label_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw a label; reports keep their figures */
        delete: operations["deleteCalibration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/label-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Images whose labels would teach most: at most one a zone a week
         * @description Of the images of the last 28 days, the one least like all labelled ones, or whose estimate is least certain. Answer with POST /progress/zones/{zone_id}/calibrations, naming capture_id and camera_id.
         */
        get: operations["listLabelRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/captures/{capture_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A capture: the progress of its analysis, and its results
         * @description While it is processing, Retry-After says when to poll again.
         */
        get: operations["getCapture"];
        put?: never;
        post?: never;
        /**
         * Cancel a capture that is processing
         * @description The capture is then failed with the code `canceled`. 409: it has ended in another way.
         */
        delete: operations["cancelCapture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/progress/captures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Captures, newest first, without the results of their images and zones */
        get: operations["listCaptures"];
        put?: never;
        /**
         * Submit imagery of a project for analysis
         * @description Answers immediately; GET the Location to follow the analysis. Images by URL, by the addresses that POST /progress/images gave, or as data: URLs as far as a body of 1 MiB holds them. Unusable images are named in the capture; it fails only when all of them are unusable. When 250 captures of the project or more than 24 h of work are waiting before it: 429 with Retry-After.
         */
        post: operations["createCapture"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stockpiles of a project with their current volumes, oldest first
         * @description All of them, unless limit or offset is given; then one page, with the pagination object.
         */
        get: operations["listStockpiles"];
        put?: never;
        /** Create a stockpile, with a volume declared by a person */
        post: operations["createStockpile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One stockpile */
        get: operations["getStockpile"];
        put?: never;
        post?: never;
        /** Remove a stockpile with its measurements and their files; its id stays taken */
        delete: operations["deleteStockpile"];
        options?: never;
        head?: never;
        /**
         * Change a stockpile, confirm its footprint, or declare its volume by hand
         * @description Absent fields stay as they are; null removes density, footprint or geofence. With another footprint or base, changes of volume are measured anew from the next measurement on.
         */
        patch: operations["updateStockpile"];
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The measured change of a stockpile beside the loads that trucks brought and took
         * @description Loads are the stays in the stockpile's fence that ended between two measurements, each weighed by payload_kg before the entry and after the exit. CSV is the list of them. Also needs the scope equipment:read.
         */
        get: operations["reconcileStockpile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/measurements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Measurements of a stockpile, newest first */
        get: operations["listMeasurements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/measurements/{measurement_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One measurement, with fresh addresses of its files */
        get: operations["getMeasurement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/measurements/{measurement_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report of a measurement, as JSON or as a page to read and to print */
        get: operations["getMeasurementReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/measurements/{measurement_id}/profile.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sections along and across the pile, as a drawing */
        get: operations["getMeasurementProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/measure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger a new volume measurement from drone images
         * @description Waits until the volume is measured, which takes from seconds to minutes, and answers with it. The same request again, while the measurement runs or within 24 h after, gets the same measurement; so it is safe to send it again after a connection was lost, which cancels nothing. Up to 300 images, by URL, by the addresses that POST /progress/images gave, or as data: URLs as far as a body of 1 MiB holds them. Photographs in which nothing can be measured are answered with 400 `unusable_images`, and `details` that name the gate, its limit and what to do. When more than 10 min of work are waiting: 429 with Retry-After.
         *
         *     With `Prefer: respond-async` (RFC 7240) it does not wait: 202 with the job, and its path as Location; follow it by `GET /jobs/{job_id}` or the live stream.
         */
        post: operations["measureStockpile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Surveys of measurements and captures, newest first
         * @description Measurements need the scope materials:read, captures progress:read: what the key may not read is not listed. With stockpile_id only measurements of that stockpile. With bbox a page may have fewer rows than its limit although more follow.
         */
        get: operations["listSurveys"];
        put?: never;
        /**
         * Make a survey of images, without a stockpile or a zone
         * @description Surface, orthophoto, model and, with `flight_metadata.exports`, point cloud, terrain and contours. Answers immediately; Location is the job. The survey appears in the list when it is done. It makes no progress report, and flights that measure progress are not placed by it. 429 as for POST /progress/captures.
         */
        post: operations["createSurvey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A survey with fresh addresses of its products and map tiles */
        get: operations["getSurvey"];
        put?: never;
        post?: never;
        /**
         * Delete a survey of POST /surveys and its files
         * @description One that is processing is canceled. 409: the survey belongs to a measurement or to a progress capture, whose figures rest on it.
         */
        delete: operations["deleteSurvey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/height": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Height of a survey's surface at a place, with its 95 % interval
         * @description 404 where the survey has no height: it never saw the place, or it is a hole.
         */
        get: operations["getSurveyHeight"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Heights of a survey's surface along a straight line, as numbers
         * @description Heights are null where the survey has none, also along all of the line. With compare_with the heights of another survey on the same line.
         */
        get: operations["getSurveyProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/volume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measure a volume in a footprint drawn on a survey; nothing is stored
         * @description As a measurement would, by this survey alone: the base is fitted to its ground unless another one is named. The footprint is not moved. A footprint that a gate refuses is a 400 that names it.
         */
        post: operations["measureSurveyVolume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/materials/stockpiles/{stockpile_id}/preview-volume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what a stockpile's survey measures in another footprint; nothing is stored
         * @description As if the images of measurement_id, the current measurement unless given, had been measured with this footprint, and with the stockpile's base unless another one is named. A footprint that a gate refuses is a 400 that names it.
         */
        post: operations["previewStockpileVolume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/points.glb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A survey's surface as at most 300,000 coloured points
         * @description For viewers; the whole point cloud is among `exports`. Metres, y up, x east, z south.
         */
        get: operations["getSurveyPoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/pile.glb": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A measured stockpile with the height of each vertex above its base
         * @description Mesh `pile` with the attribute `_ABOVE_BASE_M`, mesh `ground` around it. 404 where footprint or base were changed since the measurement.
         */
        get: operations["getSurveyPile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/{layer}/{z}/{x}/{tile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A map tile of a survey (web mercator)
         * @description 404 where the survey has nothing, and outside of the layer's zooms, which the answer then names. Transparent where there is no data, but for terrain, which has about the survey's lowest height there. Never changes: it may be kept, and has an entity tag. Counted apart from other requests: 10,000 a minute.
         */
        get: operations["getSurveyTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/surveys/{survey_id}/change/{since_id}/{z}/{x}/{tile}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A map tile of what changed between two surveys (web mercator)
         * @description Red removed, blue added, grey within `noise_m`; transparent where one of the surveys has no height. Zooms and keeping as of the layer heights of the survey. 400 where the heights are known to count from different datums.
         */
        get: operations["getSurveyChangeTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin an upload that goes on after a cut (tus 1.0.0)
         * @description For a tus client, with the headers Tus-Resumable, Upload-Length (52428800 at most) and Upload-Metadata (`filename`). Location is the upload. 413 where it is too large.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{upload_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much of an upload is there, and its image
         * @description HEAD, with Tus-Resumable, answers Upload-Offset: where to go on.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        /**
         * End an upload (tus 1.0.0)
         * @description An image that it became stays as long as its addresses are good. Needs Tus-Resumable.
         */
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Send more of an upload (tus 1.0.0)
         * @description The next bytes as application/offset+octet-stream, with Tus-Resumable and Upload-Offset: 409 where the upload is at another one. What arrived of a request that was cut stays. The last one stores the image, or refuses it.
         */
        patch: operations["continueUpload"];
        trace?: never;
    };
    "/api/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Positions, events, alerts and jobs as they change, in one stream
         * @description One stream for everything that a page shows live (docs/events.md#the-live-stream). Messages by their `event`:
         *
         *     - `snapshot`, first: `{view, change, rows}`, each row `[id, lat, lng, heading, speed_kmh, accuracy_m, status, fix_ms, flags]`, null where it is not known. `flags` is a sum: 1 registered place, 2 mocked, 4 accuracy assumed, 8 speed derived, 16 heading derived, 32 time of receipt, 64 silent, 128 offline, 256 GPS stuck, 512 never heard of.
         *     - `positions`, at most once a second: `{view, from, change, rows, gone}` with the rows that changed since `from`, and the ids that are no longer there.
         *     - `event`: the object of GET /events. `alert`: that of GET /equipment/alerts, whenever it changed. `job`: at the start and whenever it changed. `asset`: that of GET /equipment/assets/{asset_id} for `asset_id`, `null` once it is not there.
         *
         *     A client that reconnects with `Last-Event-ID` misses no event and gets none twice; positions go on, or begin with a snapshot. At most 5 streams per key or session
         */
        get: operations["streamLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ingest/{decoder}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store readings of a device: one payload, or one on each line (application/x-ndjson)
         * @description Answers when the readings are on disk in the journal. With the id and the secret of an asset: basic authentication, or `Bearer <id>.<secret>`. `Idempotency-Key` identifies a request that may be sent again.
         */
        post: operations["ingestMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/iso15143-3/Fleet/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every machine the key may see, by ISO 15143-3 (AEMP 2.0), 100 on a page */
        get: operations["getIsoFleet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/iso15143-3/Fleet/Equipment/{equipment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One machine by ISO 15143-3 (AEMP 2.0) */
        get: operations["getIsoEquipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/iso15143-3/Fleet/Equipment/{equipment_id}/{element}/{start}/{end}/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One section of one machine over time by ISO 15143-3 (AEMP 2.0), 100 on a page */
        get: operations["getIsoTimeSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptedCapture: {
            id: components["schemas"]["CaptureId"];
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /**
             * Format: date-time
             * @description While it is processing: estimated anew, never in the past; then when it ended
             */
            estimated_completion: string;
            /** @description Images that were received */
            images_count: number;
        };
        AcceptedSurvey: {
            id: components["schemas"]["SurveyId"];
            job_id: components["schemas"]["JobId"];
            /** @enum {string} */
            status: "processing";
            /**
             * Format: date-time
             * @description Within a factor of two at best
             */
            estimated_completion: string;
            /** @description Images that were received */
            images_count: number;
        };
        Acknowledged: {
            /** @description Alerts that this request acknowledged, newest first */
            acknowledged: components["schemas"]["AlertId"][];
            /** @description Alerts of `alert_ids` that were acknowledged before; the first acknowledgement stays */
            unchanged: number;
            /** @description More than 1000 alerts match `filter`: send the request again */
            has_more: boolean;
        };
        Acknowledgement: {
            note?: string;
        };
        /** @description Either `alert_ids` or `filter` */
        Acknowledgements: {
            alert_ids?: components["schemas"]["AlertId"][];
            filter?: components["schemas"]["AlertSelection"];
            note?: string;
        };
        ActiveFault: components["schemas"]["FaultCode"] & {
            /** @description Absent for a number without a name */
            spn_name?: string;
            /** @description Absent for codes that are not of J1939 */
            fmi_name?: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /** @description Times that it occurred while it was reported */
            occurrences: number;
            since: components["schemas"]["Timestamp"];
            last_seen: components["schemas"]["Timestamp"];
        };
        /** @description Values of activity codes, or the zone column of a CSV */
        ActivityPatterns: string[];
        Alert: {
            id: components["schemas"]["AlertId"];
            /** @description Type of the event that opened it */
            type: string;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            /**
             * @description open, acknowledged by a person or a mute, or resolved by an event
             * @enum {string}
             */
            status: "open" | "acknowledged" | "resolved";
            project_id: components["schemas"]["ProjectId"];
            asset_id?: components["schemas"]["AssetId"];
            geofence_id?: components["schemas"]["GeofenceId"];
            visit_id?: components["schemas"]["VisitId"];
            /** @description One sentence for a person */
            message: string;
            opened_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When it opened by the device's clock, where that is ahead of ours; opened_at is then the time of receipt
             */
            device_time?: string;
            acknowledged_at?: components["schemas"]["Timestamp"];
            /** @description Id of the API key; `admin`: the key of ADMIN_API_KEY */
            acknowledged_by?: string;
            /** @description Name of that key */
            acknowledged_by_name?: string;
            note?: string;
            mute_id?: components["schemas"]["AlertMuteId"];
            resolved_at?: components["schemas"]["Timestamp"];
            /** @description Why it is resolved, such as exited, cleared, withdrawn */
            resolution?: string;
            /** @description How often it occurred while open */
            occurrences: number;
            /** @description Data of the event */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description Alert identifier */
        AlertId: string;
        AlertList: {
            data: components["schemas"]["Alert"][];
            pagination: components["schemas"]["Pagination"];
        };
        AlertMute: {
            id: components["schemas"]["AlertMuteId"];
            project_id: components["schemas"]["ProjectId"];
            asset_id: components["schemas"]["AssetId"];
            /** @enum {string} */
            type: "equipment.geofence.entered" | "equipment.geofence.exited" | "equipment.limit.exceeded" | "equipment.fault.raised" | "equipment.maintenance.warning" | "equipment.maintenance.due" | "equipment.asset.offline" | "equipment.asset.silent" | "equipment.asset.gps_stuck";
            geofence_id?: components["schemas"]["GeofenceId"];
            /** @enum {string} */
            max_severity: "info" | "warning" | "critical";
            from: components["schemas"]["Timestamp"];
            until: components["schemas"]["Timestamp"];
            note?: string;
            /** @description Id of the API key */
            created_by: string;
            /** @description Name of that key */
            created_by_name: string;
        };
        /** @description Mute identifier */
        AlertMuteId: string;
        AlertMuteList: {
            data: components["schemas"]["AlertMute"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Crossings that open an alert; one text is an array of one, an empty array none. Absent: both. Visits and events are always kept */
        AlertOn: ("enter" | "exit" | "both")[] | ("enter" | "exit" | "both");
        /** @description Open alerts as in `GET /equipment/alerts`. Give the time at which the person read the list as `to`: what opens later stays open */
        AlertSelection: {
            project_id?: components["schemas"]["ProjectId"];
            asset_id?: components["schemas"]["AssetId"];
            geofence_id?: components["schemas"]["GeofenceId"];
            severity?: ("info" | "warning" | "critical")[];
            /** @description Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals */
            type?: string[];
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        ApiKey: {
            id: components["schemas"]["ApiKeyId"];
            name: string;
            /** @description First characters of the key, to recognise it by */
            prefix: string;
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            plan: "standard" | "enterprise";
            /** @description Projects the key may see; absent: all */
            project_ids?: components["schemas"]["ProjectId"][];
            expires_at?: components["schemas"]["Timestamp"];
            revoked_at?: components["schemas"]["Timestamp"];
            last_used_at?: components["schemas"]["Timestamp"];
            created_at: components["schemas"]["Timestamp"];
        };
        ApiKeyChange: {
            name: string;
        };
        /** @description API key identifier; not the key itself */
        ApiKeyId: string;
        ApiKeyList: {
            data: components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        Asset: {
            id: components["schemas"]["AssetId"];
            name: string;
            /** @description Equipment type */
            type: string;
            /** @enum {string} */
            status: "active" | "idle" | "maintenance";
            location: components["schemas"]["Location"];
            last_update: components["schemas"]["Timestamp"];
            /** @description Percent of the shift so far today */
            utilization_today: number;
            /** @description Zone name; empty outside every zone */
            zone: string;
            /** @description Degrees clockwise from true north; null: not known */
            heading: number | null;
            /** @description null: not known */
            speed_kmh: number | null;
            /** @description Of the newest position, as GET /equipment/assets/{asset_id}/location has it; null: none yet */
            accuracy_meters: number | null;
            /** @description Fix time of the newest position; null: none yet */
            last_fix_at: components["schemas"]["Timestamp"] | null;
            /**
             * @description registered: the asset never sent a fix; its or its project's registered place
             * @enum {string}
             */
            location_source: "gnss" | "registered";
            mocked?: components["schemas"]["Mocked"];
            connection: components["schemas"]["Connection"];
            utilization: components["schemas"]["UtilizationToday"];
        };
        AssetChange: {
            name?: string;
            type?: string;
            project_id?: components["schemas"]["ProjectId"];
            /** @description null: the project's location */
            location?: components["schemas"]["Location"] | null;
            decoder?: components["schemas"]["DecoderName"];
            /** @description Replaces all of them; null: removes them */
            decoder_options?: components["schemas"]["DecoderOptions"] | null;
            /** @description null: removes it */
            hardware_id?: components["schemas"]["HardwareId"] | null;
            make?: components["schemas"]["MachineTextChange"];
            model?: components["schemas"]["MachineTextChange"];
            serial_number?: components["schemas"]["MachineTextChange"];
            /** @description A person took the machine out of service */
            maintenance?: boolean;
            /** @description null: three reporting intervals, at least 900 */
            liveness_timeout_s?: components["schemas"]["LivenessTimeout"] | null;
        };
        AssetDetail: components["schemas"]["Asset"] & {
            project_id: components["schemas"]["ProjectId"];
            decoder: components["schemas"]["DecoderName"];
            decoder_options?: components["schemas"]["DecoderOptions"];
            hardware_id?: components["schemas"]["HardwareId"];
            make?: components["schemas"]["MachineText"];
            model?: components["schemas"]["MachineText"];
            serial_number?: components["schemas"]["MachineText"];
            /** @description A person took the machine out of service */
            maintenance: boolean;
            /** @description Seconds of quiet until the asset is silent or its GPS stuck; unless set three reporting intervals, at least 900 */
            liveness_timeout_s: number;
            /** @description Seconds between two reports, learned from the last messages, or a third of liveness_timeout_s where that was set; the status follows it */
            reporting_interval_s?: number;
            registered_location?: components["schemas"]["Location"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            engine_hours?: {
                /** @description Hours */
                value: number;
                /**
                 * @description The machine's own meter, or our sum of engine-on time
                 * @enum {string}
                 */
                source: "machine" | "accumulated";
            };
            /** @description Newest value of every telemetry field */
            latest: {
                [key: string]: {
                    value: number;
                    timestamp: components["schemas"]["Timestamp"];
                };
            };
            /** @description Texts that the device reports, and since when: vin, number_plate, ibutton, driver_card_1, driver_card_2, beacon_1 to beacon_4 */
            identities: {
                [key: string]: {
                    /** @description Empty: nobody, nothing there */
                    value: string;
                    timestamp: components["schemas"]["Timestamp"];
                };
            };
            /** @description Active faults, of J1939 or in the maker's numbering */
            fault_codes: components["schemas"]["FaultCode"][];
        };
        /** @description Asset identifier; also its MQTT user name */
        AssetId: string;
        AssetList: {
            data: components["schemas"]["Asset"][];
            pagination?: components["schemas"]["Pagination"];
        };
        AssetLocation: {
            asset_id: components["schemas"]["AssetId"];
            current: {
                latitude: number;
                longitude: number;
                accuracy_meters: number;
                timestamp: components["schemas"]["Timestamp"];
                speed_kmh: number;
                /** @description Degrees clockwise from true north */
                heading: number;
                speed_source: components["schemas"]["MotionSource"];
                heading_source: components["schemas"]["MotionSource"];
                /** @enum {string} */
                accuracy_source: "reported" | "assumed";
                /** @enum {string} */
                time_source: "device" | "received";
                mocked?: components["schemas"]["Mocked"];
            };
            /** @description Empty texts outside every zone */
            zone: {
                id: string;
                name: string;
            };
            /** @description Ascending, (now - hours, now]; present when history was requested */
            history?: {
                latitude: number;
                longitude: number;
                timestamp: components["schemas"]["Timestamp"];
            }[];
        };
        AssetMaintenancePlan: {
            services?: components["schemas"]["ServiceItem"][];
            limits?: components["schemas"]["LimitRule"][];
            faults?: components["schemas"]["FaultSeverities"];
            valid_from: components["schemas"]["Timestamp"];
            /**
             * @description asset: its own plan, which replaces the other as a whole; asset_type: that of its type
             * @enum {string}
             */
            source: "asset" | "asset_type";
        };
        BaseMap: components["schemas"]["NoBaseMap"] | components["schemas"]["PmtilesBaseMap"] | components["schemas"]["TilesBaseMap"];
        Calibration: {
            id: components["schemas"]["ObservationId"];
            zone_id: components["schemas"]["WorkZoneId"];
            camera_id: components["schemas"]["CameraId"] | null;
            capture_id: components["schemas"]["CaptureId"] | null;
            image_sha256: string;
            taken_at: components["schemas"]["Timestamp"];
            /** @description Percent */
            progress: number;
            /** @description One of the zone's stages */
            stage: string | null;
            /** @description Who says so */
            labelled_by: string;
            labelled_at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            source: "calibration" | "observation" | "correction";
            /** @description false: of an earlier reference view or outline */
            counts: boolean;
        };
        CalibrationList: {
            data: components["schemas"]["Calibration"][];
            models: components["schemas"]["CalibrationModel"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The model of one camera; camera_id null: of photographs without a fixed view */
        CalibrationModel: {
            camera_id: components["schemas"]["CameraId"] | null;
            /** @description Labels that count */
            labels: number;
            /** @description Whether it makes estimates */
            is_ready: boolean;
            /** @description Whether they can be bounded */
            has_intervals: boolean;
            /** @description Mean error of leaving each label out, points */
            loo_mean_points: number | null;
            /** @description 95 % of them are smaller */
            loo_95_points: number | null;
            /** @description Of stages: share that is right when left out, 0 to 1 */
            loo_right: number | null;
            /** @description What it still needs to make estimates */
            missing: string | null;
        };
        Camera: {
            id: components["schemas"]["CameraId"];
            project_id: components["schemas"]["ProjectId"];
            name: string;
            /**
             * @description suspended: it no longer points where its reference view does; no estimates until a new one is set
             * @enum {string}
             */
            status: "active" | "suspended";
            suspended_at: components["schemas"]["Timestamp"] | null;
            /** @description Address of the reference view, good for some days */
            reference_image: string;
            reference_sha256: string;
            reference_set_at: components["schemas"]["Timestamp"];
            zones: components["schemas"]["OutlinedZones"];
            url_prefixes: components["schemas"]["ImageUrlPrefixes"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        CameraChange: {
            name?: string;
            /** @description Zones are outlined in it, and images registered to it: an address of POST /progress/images */
            reference_image?: string;
            zones?: components["schemas"]["OutlinedZones"];
            url_prefixes?: components["schemas"]["ImageUrlPrefixes"];
        };
        /** @description Camera identifier */
        CameraId: string;
        CameraList: {
            data: components["schemas"]["Camera"][];
            pagination: components["schemas"]["Pagination"];
        };
        Capture: components["schemas"]["ListedCapture"] & {
            /** @description As it was sent */
            flight_metadata: {
                [key: string]: unknown;
            } | null;
            /** @description One for each image, in their order; empty until it is over */
            images: {
                /**
                 * Format: uri
                 * @description As it was sent, without signatures of addresses
                 */
                url: string;
                signed_url: components["schemas"]["SignedImageUrl"];
                /** @enum {string} */
                status: "used" | "rejected" | "camera_moved" | "low_confidence" | "not_used";
                /** @description Why not; null where it was used */
                reason: string | null;
                camera_id: components["schemas"]["CameraId"] | null;
                /** @description Change against the camera's reference view; not a percent of progress */
                change_index: number | null;
                /**
                 * Format: date-time
                 * @description As in the image
                 */
                taken_at: string | null;
            }[];
            /** @description The capture's estimate of each zone */
            zones: {
                zone_id: components["schemas"]["WorkZoneId"];
                method: string;
                /** @description Percent, before smoothing over time; null is not 0 */
                raw_progress: number | null;
                interval_95: components["schemas"]["Interval95"];
                /** @description Of the zone, that was seen */
                observed_percent: number;
                is_at_design: boolean;
                no_estimate: ("dsm_not_suitable" | "no_surface" | "baseline_taken" | "not_observed" | "not_aligned" | "no_calibration" | "camera_moved" | "unknown_stage") | null;
                notes: string[];
                figures: {
                    [key: string]: unknown;
                };
            }[];
            products: {
                /**
                 * Format: uri
                 * @description Surface, Cloud Optimized GeoTIFF; opens without a header for 6 days
                 */
                dsm_url: string;
                /**
                 * Format: uri
                 * @description True orthophoto, GeoTIFF; opens without a header for 6 days
                 */
                orthomosaic_url: string | null;
                /**
                 * Format: uri
                 * @description The orthophoto as a picture; opens without a header for 6 days
                 */
                orthomosaic_preview_url: string | null;
                /**
                 * Format: uri
                 * @description Textured model, GLB; opens without a header for 6 days
                 */
                model_3d_url: string;
                /**
                 * Format: uri
                 * @description The survey's own quality report, one HTML page; opens without a header for 6 days
                 */
                survey_report_url: string;
                /**
                 * Format: uri
                 * @description The same as PDF, printed when opened; 501 where the server has no Chromium; opens without a header for 6 days
                 */
                survey_report_pdf_url: string;
                exports: components["schemas"]["SurveyExportUrls"];
                vertical_datum: components["schemas"]["VerticalDatum"];
            } | null;
        };
        CaptureFailure: {
            /** @enum {string} */
            code: "canceled" | "unusable_images" | "payload_too_large" | "invalid_parameter" | "insufficient_storage" | "quota_exceeded" | "internal_error";
            message: string;
            /** @description The gate that refused it */
            details?: components["schemas"]["ErrorDetail"][];
        };
        /** @description Capture identifier */
        CaptureId: string;
        CaptureList: {
            data: components["schemas"]["ListedCapture"][];
            pagination: components["schemas"]["Pagination"];
        };
        Circle: {
            centre: components["schemas"]["LatLng"];
            /** @description Metres on the ellipsoid */
            radius_m: number;
        };
        Command: {
            id: components["schemas"]["CommandId"];
            asset_id: components["schemas"]["AssetId"];
            project_id: components["schemas"]["ProjectId"];
            name: components["schemas"]["CommandName"];
            /** @description Any JSON up to 8192 bytes. For a Teltonika tracker a text that follows the name; for Sparkplug the metric's value, or {"value", "datatype"} */
            parameters?: unknown;
            /**
             * @description `queued` -> `sent` -> `delivered` (receipt acknowledged) -> `answered`; or `failed` (see `failure`), `expired` and `cancelled` (both: never sent)
             * @enum {string}
             */
            status: "queued" | "sent" | "delivered" | "answered" | "failed" | "expired" | "cancelled";
            /** @description Attempts to send it so far */
            attempt: number;
            max_attempts: components["schemas"]["CommandAttempts"];
            /**
             * @description Protocol of the last attempt
             * @enum {string}
             */
            carrier?: "mqtt" | "thingsboard" | "codec12" | "sparkplug";
            /**
             * @description `unconfirmed`: sent, and neither receipt nor answer came, so that the device may have run it; `refused`: by the device; `not_encodable`: by its protocol; `asset_moved`: to another project
             * @enum {string}
             */
            failure?: "unconfirmed" | "refused" | "not_encodable" | "asset_moved";
            /** @description What went wrong */
            detail?: string;
            answer?: components["schemas"]["CommandAnswer"];
            /** @description The order in which an asset's commands are sent; has gaps */
            sequence: number;
            /** @description Id of the API key */
            created_by: string;
            created_at: components["schemas"]["Timestamp"];
            expires_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When `status` last changed
             */
            changed_at: string;
            sent_at?: components["schemas"]["Timestamp"];
            delivered_at?: components["schemas"]["Timestamp"];
            answered_at?: components["schemas"]["Timestamp"];
        };
        CommandAnswer: {
            /**
             * @description How `value` holds the device's bytes: parsed, as text, or in base64
             * @enum {string}
             */
            encoding: "json" | "text" | "base64";
            /** @description The answer */
            value: unknown;
            /** @description It was longer than 8192 bytes */
            truncated: boolean;
        };
        /** @description How often it may be sent when nothing confirms it. Default 3 on our own MQTT topic, whose payload counts the attempts; 1 for ThingsBoard, Teltonika and Sparkplug, whose devices would run it again */
        CommandAttempts: number;
        /** @description Command identifier */
        CommandId: string;
        CommandList: {
            data: components["schemas"]["Command"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What to do, in the device's terms: the `method` of ThingsBoard, the text of a Teltonika tracker, the metric of Sparkplug */
        CommandName: string;
        /** @description Fixes in a row beyond the edge that confirm a crossing nearer to it */
        ConfirmFixes: number;
        Connection: {
            /**
             * @description MQTT session; unknown: none was ever seen
             * @enum {string}
             */
            link: "connected" | "disconnected" | "unknown";
            link_since?: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description When the newest message was received
             */
            last_message_at?: string;
            /**
             * Format: date-time
             * @description Fix time of the newest position
             */
            last_fix_at?: string;
            /**
             * @description offline: no MQTT session for 60 s; silent: no message for liveness_timeout_s; gps_stuck: messages, but no new position for as long; unknown: never connected
             * @enum {string}
             */
            status: "ok" | "silent" | "offline" | "gps_stuck" | "unknown";
        };
        ConnectionEntry: {
            /**
             * Format: date-time
             * @description Server clock, UTC
             */
            at: string;
            /** @description `accepted`, why a log-in was refused (`wrong_password`, `unknown_user`, `barred`, `version_refused`, `client_id`, `takeover_banned`, `unavailable`, `tls_alert`), or why a connection ended (`disconnect`, `cut`, `keep_alive`, `takeover`, `malformed`, ...). More may be added */
            outcome: string;
            /** @description What is known beyond the outcome */
            detail?: string;
            /** @enum {string} */
            listener: "mqtt" | "mqtts" | "ws" | "wss" | "http" | "https" | "teltonika" | "osmand" | "broker";
            /** @description IP address; absent where an external broker does not give it */
            address?: string;
            /** @description MQTT: 3 is 3.1, 4 is 3.1.1, 5 is 5.0 (not spoken here) */
            protocol_level?: number;
            /** @description As the client gave it, shortened */
            client_id?: string;
            /** @description User name, IMEI or id as the client gave it, shortened */
            username?: string;
        };
        ConnectionList: {
            data: components["schemas"]["ConnectionEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        ConsoleConfig: {
            /** @description Of the service */
            version: string;
            /**
             * @description What a person who has chosen none begins with
             * @enum {string}
             */
            units: "metric" | "imperial";
            map: components["schemas"]["BaseMap"];
            devices?: components["schemas"]["DeviceListeners"];
        };
        ControlPoint: {
            name: string;
            latitude: number;
            longitude: number;
            /** @description Above the ellipsoid or any one level, metres */
            height_m: number;
            /** @description Absent: 2 cm, 3 cm */
            sigma_m?: {
                /** @description Standard deviation, metres */
                horizontal: number;
                /** @description Standard deviation, metres */
                vertical: number;
            };
            /** @description Held back: measures the result and does not shape it */
            is_check?: boolean;
            marks: components["schemas"]["ImageMark"][];
        };
        Corridor: {
            line: components["schemas"]["CorridorLine"];
            /** @description Metres, half of it on either side of the line; the ends are round */
            width_m: number;
        };
        /** @description Points as [latitude, longitude], 2 to 200, at most 200 km apart */
        CorridorLine: components["schemas"]["LatLng"][];
        CreatedApiKey: components["schemas"]["ApiKey"] & {
            /** @description The key; shown once: absent when the answer is repeated */
            key?: string;
            hint?: string;
        };
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /** @description Shown once: absent when the answer is repeated */
            secret?: string;
            hint?: string;
        };
        /** @description RFC 4180, one header line */
        Csv: string;
        CursorPagination: {
            limit: number;
            /** @description Whether more are there already */
            has_more: boolean;
            /** @description `cursor` of the next request; absent: this list has ended */
            next_cursor?: string;
        };
        /** @description Percent at declared_at, carried forward until there is evidence */
        DeclaredProgress: number;
        /**
         * @description Format the device speaks
         * @enum {string}
         */
        DecoderName: "plumbline" | "owntracks" | "thingsboard" | "traccar" | "osmand" | "nmea" | "j1939" | "teltonika" | "teltonika-codec8" | "senml" | "sparkplug" | "things-stack" | "chirpstack" | "mapping";
        /** @description What the decoder cannot know from payloads; options of other decoders have no effect */
        DecoderOptions: {
            /**
             * @description Numbering of AVL ids, for the decoders teltonika and teltonika-codec8: fmb (FMB, FMC and FMM trackers and everything else; the default) or fmx6 (professional trackers FM6300, FMB630, FMx640, FMx650), which give the same ids to other values
             * @enum {string}
             */
            teltonika_ids?: "fmb" | "fmx6";
        };
        /** @description Where devices connect; absent: another process has the listeners */
        DeviceListeners: {
            /** @description Plain MQTT on the host of this service; absent: not there */
            mqtt_port?: number;
            /** @description MQTT over TLS on the host of this service; absent: not there */
            mqtts_port?: number;
            /** @description A device needs a client certificate for MQTT over TLS */
            mqtts_asks_for_certificate: boolean;
            /**
             * Format: uri
             * @description External broker that devices connect to instead
             */
            broker_url?: string;
        };
        DryRun: {
            readings: components["schemas"]["DryRunReading"][];
            /** @description What the device reports beside readings; they become events */
            notices: {
                kind: string;
                timestamp: components["schemas"]["Timestamp"];
                /**
                 * @description received: the payload had no possible time
                 * @enum {string}
                 */
                time_source: "device" | "received";
                data: {
                    [key: string]: unknown;
                };
            }[];
            /** @description Readings that would go to quarantine, and why; absent: none */
            refused?: string;
            /** @description Parts that are understood and not kept */
            ignored: number;
            /** @description Of "mapping": pointers that found nothing in the payload */
            unused?: {
                parameter: string;
                pointer: string;
            }[];
        };
        DryRunReading: {
            timestamp: components["schemas"]["Timestamp"];
            /**
             * @description received: the payload had no possible time
             * @enum {string}
             */
            time_source: "device" | "received";
            /** @description The device marks it as historical; never the newest */
            is_historical?: boolean;
            seq?: number;
            fields: {
                [key: string]: number;
            };
            /** @description Absent: the payload says nothing of faults */
            fault_codes?: components["schemas"]["FaultCode"][];
        };
        DryRunRequest: {
            /**
             * @description Format the payload is in
             * @enum {string}
             */
            decoder: "plumbline" | "owntracks" | "thingsboard" | "traccar" | "osmand" | "nmea" | "j1939" | "teltonika" | "teltonika-codec8" | "senml" | "sparkplug" | "things-stack" | "chirpstack" | "mapping";
            decoder_options?: components["schemas"]["DecoderOptions"];
            /** @description Only for "mapping": the type whose mapping is taken */
            asset_type?: string;
            mapping?: components["schemas"]["PayloadMapping"];
            /** @description What the device sends, as JSON */
            payload?: unknown;
            /** @description The same, as text */
            payload_text?: string;
            /** @description The same, for formats that are not text */
            payload_base64?: string;
            /**
             * Format: date-time
             * @description Time of receipt; default: now
             */
            received_at?: string;
        };
        EarnedValue: {
            planned_value: number;
            earned_value: number;
            schedule_variance: number;
            spi: number | null;
            spi_t: number | null;
            earned_schedule_days: number | null;
            forecast_finish: string | null;
            forecast_finish_interval_95: string[] | null;
        };
        Error: {
            error: {
                /** @enum {string} */
                code: "unauthorized" | "forbidden" | "invalid_request" | "invalid_parameter" | "payload_too_large" | "unusable_images" | "not_found" | "conflict" | "id_taken" | "precondition_failed" | "rate_limit_exceeded" | "insufficient_storage" | "quota_exceeded" | "unavailable" | "internal_error";
                message: string;
                details?: components["schemas"]["ErrorDetail"][];
                /** @description Also in the X-Request-Id header */
                request_id: string;
            };
        };
        ErrorDetail: {
            /** @description Query parameter, or path inside the body */
            parameter: string;
            message: string;
            /** @description Name of the gate that refused the images, with what it measured */
            gate?: string;
            /** @description What was measured, in `unit` */
            value?: number;
            threshold?: number;
            unit?: string;
            /** @description What to do about it */
            advice?: string;
            /** @description Names of the images concerned */
            images?: string[];
            /** @description Every image that was sent, with its outcome */
            image_uses?: components["schemas"]["ImageUse"][];
            /** @description Where there is no room: the bytes requested */
            bytes_needed?: number;
            /** @description What could still be stored */
            bytes_left?: number;
            /** @description What the project has stored */
            bytes_used?: number;
            /** @description Quota of the project */
            bytes_limit?: number;
        };
        Event: {
            /** @description The same for every revision of one event */
            id: string;
            /** @description Rises in the order in which events became known; has gaps */
            sequence: number;
            /** @description 1 when first published; each change is the next */
            revision: number;
            /** @description `equipment.geofence.entered`, `.exited`, `equipment.limit.exceeded`, `.cleared`, `equipment.fault.raised`, `.cleared`, `equipment.maintenance.warning`, `.due`, `.serviced`, `equipment.device.notice`, `equipment.command.queued`, `.sent`, `.delivered`, `.answered`, `.failed`, `.expired`, `.cancelled`, `equipment.asset.offline`, `.online`, `.silent`, `.reporting`, `.gps_stuck`, `.gps_recovered`, `equipment.project.outage`, `.recovered`, `materials.stockpile.measured`, `.low`, `.full`, `progress.report.created`, `progress.behind_schedule`, `.camera_moved`, `ingest.journal_gap`, `security.foreign_topic`, `.hardware_id_claimed`; followed by `.revised` when it changes an earlier event, by `.withdrawn` when that did not happen */
            type: string;
            project_id?: string;
            asset_id?: string;
            geofence_id?: string;
            /** @description The stay in the geofence */
            visit_id?: string;
            /**
             * Format: date-time
             * @description When it happened
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description When it was recorded
             */
            recorded_at: string;
            location?: components["schemas"]["Location"];
            accuracy_meters?: number;
            /** @description Concluded from the fixes before and after, without one in between */
            inferred: boolean;
            /** @description Why, where it is not the usual cause */
            cause?: string;
            withdrawn: boolean;
            /** @description By type */
            data: {
                [key: string]: unknown;
            };
        };
        EventList: {
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["CursorPagination"];
        };
        /** @description Event types; `*` at the end matches any ending; empty: every type. A type includes its revisions and withdrawals */
        EventTypePatterns: string[];
        ExceededLimit: {
            id: string;
            name: string;
            field: string;
            above?: number;
            below?: number;
            clear_at: number;
            /** @enum {string} */
            severity: "info" | "warning" | "critical";
            since: components["schemas"]["Timestamp"];
            /** @description The first value beyond the limit */
            value?: number;
        };
        /** @description Metres beyond the edge at which one fix is enough to report a crossing */
        ExitBuffer: number;
        FaultCode: {
            /** @description Source address of the controller that reports it */
            source?: number;
            /** @description Suspect parameter number; with fmi, or absent where there is a code */
            spn?: number;
            /** @description Failure mode identifier */
            fmi?: number;
            /** @description Trouble code that is not of J1939, as the machine or its maker writes it */
            code?: string;
            /** @description In the maker's words */
            description?: string;
            /** @description In the maker's words */
            reported_severity?: string;
            occurrence_count?: number;
        };
        /** @description Without fmi: every failure mode of the parameter */
        FaultMatch: {
            /** @description Suspect parameter number; with fmi, or absent where there is a code */
            spn?: number;
            /** @description Failure mode identifier */
            fmi?: number;
        };
        /** @description Severities of fault codes that differ from the usual ones */
        FaultSeverities: {
            critical?: components["schemas"]["FaultMatch"][];
            warning?: components["schemas"]["FaultMatch"][];
            info?: components["schemas"]["FaultMatch"][];
        };
        FieldMapping: {
            pointer: components["schemas"]["JsonPointer"];
            /** @description Unit of the device's number; default: that of the field's name */
            unit?: string;
            /** @description number = what the device sent x scale + offset, in `unit` */
            scale?: number;
            offset?: number;
            /** @description Numbers that texts, codes, true and false mean, before scale and offset */
            values?: {
                [key: string]: number;
            };
            /** @description What the device sends when it has no value */
            ignore?: (number | string)[];
        };
        FigureChange: {
            /** @description Percent; null: not known */
            before: number | null;
            after: number | null;
            /** @description Points; null: not compared */
            difference: number | null;
            interval_95: components["schemas"]["Interval95"];
            /** @description interval_95 leaves 0 out */
            is_significant: boolean | null;
        };
        /** @description Without its secrets */
        FleetAuth: {
            /** @enum {string} */
            kind: "none";
        } | {
            /** @enum {string} */
            kind: "basic";
            username: string;
        } | {
            /** @enum {string} */
            kind: "bearer";
        } | {
            /** @enum {string} */
            kind: "oauth2_client_credentials";
            /** Format: uri */
            token_url: string;
            client_id: string;
            scope?: string;
        } | {
            /** @enum {string} */
            kind: "oauth2_password";
            /** Format: uri */
            token_url: string;
            client_id?: string;
            scope?: string;
            username: string;
        } | {
            /** @enum {string} */
            kind: "api_key_header";
            /** @description Name of the header */
            name: string;
        };
        FleetFigure: {
            /** @description Sum of the days on which it is known; null: of none */
            value: number | null;
            /** @description Sum of the lower bounds; null: a day has none */
            lower: number | null;
            /** @description Sum of the upper bounds; null: a day has none */
            upper: number | null;
            /** @description Of `asset_days`, those on which it is known */
            known_days: number;
            /**
             * @description Where most of its time comes from
             * @enum {string}
             */
            basis: "observed" | "meter" | "bridged" | "none";
            /** @description The value by its sources */
            parts: {
                observed: number;
                meter: number;
                bridged: number;
            };
        };
        FleetPoll: {
            started_at: components["schemas"]["Timestamp"];
            finished_at: components["schemas"]["Timestamp"];
            /** @enum {string} */
            outcome: "ok" | "failed";
            /** @description Why it failed */
            failure?: string;
            /** @description Of the last answer */
            http_status?: number;
            consecutive_failures: number;
            pages: number;
            pages_unchanged: number;
            machines: number;
            /** @description Those that match an asset */
            machines_matched: number;
            /** @description New ones, stored */
            readings: number;
            /** @description Pages of series of single machines; their new readings count above */
            series_pages: number;
            /** @description The first 50; not in lists of sources */
            problems?: {
                where: string;
                problem: string;
            }[];
            problem_count: number;
            /** @description The first 100 machines that no asset is registered for: its hardware_id must be the PIN, serial number or equipment id; not in lists of sources */
            unmatched?: {
                OEMName?: string;
                Model?: string;
                EquipmentID?: string;
                SerialNumber?: string;
                PIN?: string;
            }[];
            unmatched_count: number;
        };
        /** @description What is polled of each registered machine over time, beside the fleet as it is now: Faults (fault codes, which raise the same alerts as those of J1939) and values. Each costs one request per machine and poll; default: none */
        FleetSeries: ("Faults" | "Locations" | "CumulativeOperatingHours" | "CumulativeIdleHours" | "CumulativeFuelUsed" | "FuelRemainingRatio" | "DEFRemainingRatio" | "Distance" | "EngineCondition" | "CumulativeLoadCount" | "CumulativePayloadTotals")[];
        FleetSource: {
            id: components["schemas"]["FleetSourceId"];
            name: string;
            /** Format: uri */
            url: string;
            /** @description Where polls begin */
            first_page: string;
            auth: components["schemas"]["FleetAuth"];
            interval_s: number;
            series: components["schemas"]["FleetSeries"];
            /** @enum {string} */
            status: "active" | "disabled";
            /**
             * Format: date-time
             * @description Absent: at once, or disabled
             */
            next_poll_at?: string;
            last_poll?: components["schemas"]["FleetPoll"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        FleetSourceChange: {
            url?: components["schemas"]["FleetUrl"];
            name?: string;
            auth?: components["schemas"]["GivenFleetAuth"];
            /** @description Seconds between the starts of two polls; default 900 */
            interval_s?: number;
            series?: components["schemas"]["FleetSeries"];
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        /** @description Fleet source identifier */
        FleetSourceId: string;
        FleetSourceList: {
            data: components["schemas"]["FleetSource"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Base such as https://api.example.com/iso15143-3, which /Fleet/1 is added to, or the whole first page; public addresses, and those of OUTBOUND_ALLOW_CIDRS */
        FleetUrl: string;
        FleetUtilization: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            data: components["schemas"]["FleetUtilizationRow"][];
            pagination: components["schemas"]["Pagination"];
        };
        FleetUtilizationRow: {
            asset_id?: components["schemas"]["AssetId"];
            asset_name?: string;
            /** @description Type of the asset or assets */
            type?: string;
            /**
             * Format: date
             * @description Local date of its project
             */
            day?: string;
            /** @description Assets that the row is of */
            assets: number;
            /** @description Days of assets that are in the sums: those on which one reported, and those between */
            asset_days: number;
            /** @description Working time in the shift, percent of the shift of the days on which it is known */
            utilization: number | null;
            /** @description Working seconds inside the shift */
            working_s: number | null;
            /** @description Working seconds outside the shift */
            overtime_s: number | null;
            /** @description Seconds in which the engine ran */
            engine_on_s: number | null;
            /** @description Metres */
            distance_m: number | null;
            figures: {
                working: components["schemas"]["FleetFigure"];
                overtime: components["schemas"]["FleetFigure"];
                engine_on: components["schemas"]["FleetFigure"];
                distance: components["schemas"]["FleetFigure"];
            };
        };
        FlightMetadata: {
            /** @description The operator's own */
            flight_id?: string;
            /**
             * Format: date-time
             * @description When the images were taken; absent: the time in their EXIF
             */
            flown_at?: string;
            /** @description As people call it */
            drone_model?: string;
            /** @description Above the ground */
            altitude_agl_m?: number;
            /** @description Ground sample distance, cm */
            gsd_cm?: number;
            /** @description Of images in a row */
            front_overlap_percent?: number;
            /** @description Of neighbouring rows */
            side_overlap_percent?: number;
            /** @description Positions are corrected to centimetres */
            rtk?: boolean;
            /** @description Of the positions, one standard deviation */
            horizontal_accuracy_m?: number;
            /** @description Of the positions, one standard deviation */
            vertical_accuracy_m?: number;
            /** @description Coordinate system of given surfaces that name none (EPSG registry) */
            epsg?: number;
            profile?: components["schemas"]["SurveyProfile"];
            orthophoto?: components["schemas"]["OrthophotoCells"];
            output_crs?: components["schemas"]["OutputSystem"];
            geoid_grid?: components["schemas"]["GeoidGrid"];
            surface_height_unit?: components["schemas"]["HeightUnit"];
            exports?: components["schemas"]["MakeExports"];
            /** @description Distance of contour lines in height, metres; only with exports: true. Absent: chosen from the relief */
            contour_interval_m?: number;
            camera?: {
                /** @description As in EXIF */
                model?: string;
                focal_length_mm?: number;
                sensor_width_mm?: number;
            };
            /** @description One entry for each image that shows a point */
            ground_control_points?: {
                name: string;
                latitude: number;
                longitude: number;
                elevation_m: number;
                /** @description Name of an image that shows it */
                image?: string;
                /** @description Pixel column there, 0 = middle of the first */
                x?: number;
                /** @description Pixel row there */
                y?: number;
            }[];
            /** @description true: of a larger flight; entries of images that are not in this one do not count. Absent: they are errors */
            ground_control_points_subset?: boolean;
            scale_bars?: components["schemas"]["ScaleBar"][];
            /**
             * Format: uri
             * @description GeoTIFF of heights, made elsewhere
             */
            dsm_url?: string;
            /**
             * Format: uri
             * @description Orthomosaic (GeoTIFF), made elsewhere
             */
            orthomosaic_url?: string;
            camera_id?: components["schemas"]["CameraId"];
            /** @description Of photographs without a fixed view: the zone that they show, unless an address says so by #zone= */
            zone_id?: components["schemas"]["WorkZoneId"];
            /**
             * Format: date-time
             * @description When pictures of a fixed camera, or by hand, were taken
             */
            taken_at?: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * @description `traccar`: a position as a Traccar server forwards it, the only one over HTTP; `plumbline`: our own JSON
         * @enum {string}
         */
        ForwardFormat: "plumbline" | "traccar";
        Forwarder: {
            id: components["schemas"]["ForwarderId"];
            name: string;
            /**
             * @description `traccar_http`: one POST per position; `mqtt`: QoS 1 to another broker
             * @enum {string}
             */
            kind: "traccar_http" | "mqtt";
            /** Format: uri */
            url: string;
            format: components["schemas"]["ForwardFormat"];
            topic?: string;
            /** @description Absent: every project, also later ones */
            project_ids?: components["schemas"]["ProjectId"][];
            has_credentials: boolean;
            /** @enum {string} */
            status: "active" | "disabled";
            progress: components["schemas"]["ForwarderProgress"][];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        ForwarderChange: {
            /**
             * Format: uri
             * @description http(s)://... or mqtt(s)://host:port; public addresses, and those of OUTBOUND_ALLOW_CIDRS
             */
            url?: string;
            name?: string;
            /** @description null: every project */
            project_ids?: components["schemas"]["ProjectIds"] | null;
            /** @description null: none; needed anew when the URL leads to another server */
            credentials?: components["schemas"]["ForwarderCredentials"] | null;
            /** @description MQTT topic; {project}, {asset} and {hardware_id} are filled in */
            topic?: string;
            format?: components["schemas"]["ForwardFormat"];
            /** @enum {string} */
            status?: "active" | "disabled";
            /** @description With `status` active: skip what was received while it was disabled */
            skip_missed?: boolean;
        };
        /** @description `username` and `password`, or `header` and `value`; never shown again */
        ForwarderCredentials: {
            username?: string;
            password?: string;
            /** @description HTTP only, e.g. X-Api-Key */
            header?: string;
            value?: string;
        };
        /** @description Forwarder identifier */
        ForwarderId: string;
        ForwarderList: {
            data: components["schemas"]["Forwarder"][];
            pagination: components["schemas"]["Pagination"];
        };
        ForwarderProgress: {
            /** @description Journal of one ingest process */
            journal_id: string;
            /** @description Last record up to which everything is done */
            sequence: number;
            /** @description Readings that were confirmed */
            sent: number;
            /** @description What was left out, by reason: readings; with `no_longer_kept` records of the journal */
            skipped: {
                [key: string]: number;
            };
            last_sent_at?: components["schemas"]["Timestamp"];
            last_error?: string;
            last_error_at?: components["schemas"]["Timestamp"];
            /** @description Nothing was delivered since */
            held_since?: components["schemas"]["Timestamp"];
            /** @description Records of the journal that are not done */
            lag_records: number;
            /** @description Since the oldest of them was acknowledged */
            lag_s: number;
        };
        GeoJSON: {
            type: string;
        } & {
            [key: string]: unknown;
        };
        Geofence: {
            id: components["schemas"]["GeofenceId"];
            name: string;
            /** @enum {string} */
            status: "active";
            /** @description Square metres on the WGS 84 ellipsoid, two decimals */
            area_sqm: number;
            project_id: components["schemas"]["ProjectId"];
            kind: components["schemas"]["GeofenceKind"];
            polygon: components["schemas"]["Polygon"];
            /**
             * @description How it was drawn; `polygon` is the outline of a circle or corridor
             * @enum {string}
             */
            shape: "polygon" | "circle" | "corridor";
            circle?: components["schemas"]["Circle"];
            corridor?: components["schemas"]["Corridor"];
            alert_on: ("enter" | "exit" | "both")[];
            exit_buffer_m: components["schemas"]["ExitBuffer"];
            confirm_fixes: components["schemas"]["ConfirmFixes"];
            min_dwell_s: components["schemas"]["MinDwell"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        GeofenceChange: {
            name?: string;
            polygon?: components["schemas"]["Polygon"];
            circle?: {
                centre?: components["schemas"]["LatLng"];
                /** @description Metres on the ellipsoid */
                radius_m?: number;
            };
            corridor?: {
                line?: components["schemas"]["CorridorLine"];
                /** @description Metres, half of it on either side of the line; the ends are round */
                width_m?: number;
            };
            alert_on?: components["schemas"]["AlertOn"];
            kind?: components["schemas"]["GeofenceKind"];
            exit_buffer_m?: components["schemas"]["ExitBuffer"];
            confirm_fixes?: components["schemas"]["ConfirmFixes"];
            min_dwell_s?: components["schemas"]["MinDwell"];
        };
        /** @description Geofence identifier */
        GeofenceId: string;
        GeofenceImport: {
            project_id: components["schemas"]["ProjectId"];
            /** @description Number of fences; all features of the file */
            imported: number;
            data: {
                /** @description Place in the file, from 0 */
                feature: number;
                id: components["schemas"]["GeofenceId"];
                name: string;
                area_sqm: number;
            }[];
            /** @description Names of properties that no fence has; the first 50 */
            ignored_properties: string[];
        };
        /**
         * @description zone: shown as the place of the assets in it
         * @enum {string}
         */
        GeofenceKind: "zone" | "boundary" | "restricted";
        GeofenceList: {
            data: components["schemas"]["Geofence"][];
            pagination: components["schemas"]["Pagination"];
        };
        GeofencePreview: {
            project_id: components["schemas"]["ProjectId"];
            /** @description Square metres on the WGS 84 ellipsoid, two decimals */
            area_sqm: number;
            polygon: components["schemas"]["Polygon"];
            circle?: components["schemas"]["Circle"];
            corridor?: components["schemas"]["Corridor"];
            /** @description Assets whose newest position lies in the fence, however old it is; mocked ones are left out */
            inside: {
                asset_id: components["schemas"]["AssetId"];
                name: string;
                location: components["schemas"]["Location"];
                accuracy_meters: number;
                timestamp: components["schemas"]["Timestamp"];
            }[];
            /** @description Present when the request has a range */
            range?: {
                from: components["schemas"]["Timestamp"];
                to: components["schemas"]["Timestamp"];
                /** @description Assets that were checked to the end */
                assets: number;
                /** @description Positions that were checked */
                fixes: number;
                /** @description False: there are more than 400000 positions, 2000 crossings or 1000 assets; ask for fewer assets or a shorter range */
                is_complete: boolean;
                /** @description By asset, then by time */
                crossings: {
                    asset_id: components["schemas"]["AssetId"];
                    /** @enum {string} */
                    type: "entered" | "exited";
                    timestamp: components["schemas"]["Timestamp"];
                    /** @description crossing, or first_fix: it was inside at its first position of the range */
                    cause: string;
                    location: components["schemas"]["Location"];
                    accuracy_meters: number;
                    /** @description Seen only as a line between two fixes outside */
                    inferred: boolean;
                }[];
            };
        };
        GeofenceRules: {
            name: string;
            project_id: components["schemas"]["ProjectId"];
            alert_on?: components["schemas"]["AlertOn"];
            id?: components["schemas"]["GeofenceId"];
            valid_from?: components["schemas"]["ValidFrom"];
            kind?: components["schemas"]["GeofenceKind"];
            exit_buffer_m?: components["schemas"]["ExitBuffer"];
            confirm_fixes?: components["schemas"]["ConfirmFixes"];
            min_dwell_s?: components["schemas"]["MinDwell"];
        };
        /** @description File name of a geoid grid (GTX or GeoTIFF) in the operator's GRID_DIR: heights of the products are reduced by it where they are above the ellipsoid (RTK, or a given surface that says so). Else, and where it is not there, a warning says so. Absent: heights stay as they are. Volumes do not depend on it */
        GeoidGrid: string;
        /** @description Credentials for the server; its secrets are stored sealed and never shown */
        GivenFleetAuth: {
            /** @enum {string} */
            kind: "none";
        } | {
            /** @enum {string} */
            kind: "basic";
            username: string;
            password: string;
        } | {
            /** @enum {string} */
            kind: "bearer";
            token: string;
        } | {
            /** @enum {string} */
            kind: "oauth2_client_credentials";
            /** Format: uri */
            token_url: string;
            client_id: string;
            scope?: string;
            client_secret: string;
        } | {
            /** @enum {string} */
            kind: "oauth2_password";
            /** Format: uri */
            token_url: string;
            client_id?: string;
            scope?: string;
            username: string;
            password: string;
            client_secret?: string;
        } | {
            /** @enum {string} */
            kind: "api_key_header";
            /** @description Name of the header */
            name: string;
            value: string;
        };
        GivenSurface: {
            /** @description One height, metres; without surface_url */
            height_m?: number;
            /**
             * @description From the heights of the surveys (default), or, for a design, the baseline
             * @enum {string}
             */
            reference?: "survey" | "baseline";
            /**
             * Format: uri
             * @description Of a GeoTIFF, as POST /progress/images gave it, or of a surface of this zone
             */
            surface_url?: string;
            surface_height_unit?: components["schemas"]["HeightUnit"];
        };
        /** @description Shares of the capacity, percent; must rise. Default 2, 20, 95 */
        GivenThresholds: {
            empty_percent?: number;
            low_percent?: number;
            full_percent?: number;
        };
        /** @description GPX 1.1 */
        Gpx: string;
        /** @description What the device calls itself, e.g. its IMEI; unique among the assets that exist */
        HardwareId: string;
        HeightProfile: {
            /** @description Length in plan, on the ellipsoid, metres */
            length_m: number;
            /** @description Last height less the first; null: one is missing, metres */
            rise_m: number | null;
            /** @description Rise in hundredths of the length */
            slope_percent: number | null;
            /** @description Of the points, those that have a height */
            share_with_heights: number;
            source: components["schemas"]["HeightSource"];
            compared_with: components["schemas"]["HeightSource"] | null;
            /** @description From `from` to `to`, both included, at even distances */
            points: {
                /** @description From the start, in plan, metres */
                distance_m: number;
                latitude: number;
                longitude: number;
                /** @description null: the survey has none there, metres */
                height_m: number | null;
                /** @description Height of the survey compared with; null: it has none there, or none was asked for, metres */
                compared_height_m: number | null;
            }[];
            warnings: string[];
        };
        HeightSource: {
            survey_id: components["schemas"]["SurveyId"];
            project_id: components["schemas"]["ProjectId"];
            /**
             * Format: date-time
             * @description When the images were taken
             */
            captured_at: string;
            vertical_datum: components["schemas"]["VerticalDatum"];
            /** @description Cell of the surface, metres */
            cell_m: number | null;
            /** @description Half of the 95 % interval of each height above the datum; null: not known, metres */
            uncertainty_95_m: number | null;
            /** @description The same of the difference of two heights of this survey; null: not known, metres */
            relative_95_m: number | null;
            /**
             * @description What the height of the survey as a whole is known by
             * @enum {string}
             */
            placed_by: "check_points" | "control_points" | "rtk" | "gps" | "unknown";
        };
        /**
         * @description Unit of the heights of a given surface (GeoTIFF), where the file does not state it: metres, international or US survey feet. A unit that the file contradicts is refused. Absent: as stated in the file, else metres
         * @enum {string}
         */
        HeightUnit: "m" | "ft" | "us-ft";
        ImageMark: {
            /** @description Name of the image: the end of its URL */
            image: string;
            /** @description Pixel column of the full-size image, 0 = middle of the first */
            u: number;
            /** @description Pixel row */
            v: number;
        };
        /** @description http(s) URL of at most 2,048 characters, the address of an uploaded image, or a data: URL in base64 */
        ImageUrl: string;
        /** @description Images whose addresses begin so are this camera's; the longest one counts */
        ImageUrlPrefixes: string[];
        ImageUse: {
            name: string;
            /** @enum {string} */
            use: "used" | "unreadable" | "duplicate" | "blurred" | "one_tone" | "unmatched" | "not_oriented" | "not_reached";
            reason: string | null;
        };
        /** @description For decoder `owntracks` an empty array, which is what its apps expect */
        IngestAnswer: components["schemas"]["IngestResult"] | unknown[];
        IngestResult: {
            /** @description Payloads in the body: 1, or its lines */
            messages: number;
            /** @description Readings that are durable now; those of duplicates were before */
            readings: number;
            /** @description Messages that are durable now */
            stored: number;
            /** @description Messages that were durable before */
            duplicate: number;
            /** @description Messages that cannot be read, or some of whose readings cannot; what is not read is durable, in the quarantine */
            quarantined: number;
            /** @description Messages that are understood and carry nothing to store */
            ignored: number;
            /** @description Messages of a network server about devices that are not registered */
            unknown_device: number;
            /** @description Messages about devices that the sender may not send for */
            foreign_asset: number;
            /** @description Messages to be sent again; above 0 with status 503 only */
            not_stored: number;
            /** @description Every message that is not stored as a whole, and no duplicate */
            problems: {
                /** @description Line of the body; 1 for a single payload */
                line: number;
                /** @enum {string} */
                outcome: "quarantined" | "ignored" | "unknown_device" | "foreign_asset" | "foreign_topic" | "not_stored";
                reason?: string;
                /** @description Readings of the message that are durable all the same; absent: none */
                readings?: number;
            }[];
            /** @description Remarks on stored messages, such as a rejected value or a misspelt name; the first 100 */
            notices?: {
                line: number;
                notice: string;
            }[];
        };
        /** @description Low and high end of 95 %; null: it cannot be bounded */
        Interval95: number[] | null;
        Iso15143Equipment: components["schemas"]["Iso15143Machine"] & {
            version: string;
            /** Format: date-time */
            snapshotTime: string;
        };
        Iso15143Fleet: {
            version: string;
            /** Format: date-time */
            snapshotTime: string;
            Equipment: components["schemas"]["Iso15143Machine"][];
            links: components["schemas"]["Iso15143Links"];
        };
        Iso15143Header: {
            /** @description When the asset was registered */
            UnitInstallDateTime: string;
            /** @description `make` of the asset */
            OEMName?: string;
            /** @description `model` of the asset, else its type */
            Model: string;
            /** @description Name of the asset */
            EquipmentID: string;
            /** @description `serial_number` of the asset, else its `hardware_id`, else its id */
            SerialNumber: string;
            /** @description `hardware_id` when it is a PIN or VIN */
            PIN?: string;
        };
        Iso15143Links: {
            /** @enum {string} */
            rel: "self" | "first" | "prev" | "next" | "last";
            /** @description Path at this service */
            href: string;
        }[];
        Iso15143Machine: {
            EquipmentHeader: components["schemas"]["Iso15143Header"];
            Location?: components["schemas"]["Iso15143Section"];
            CumulativeOperatingHours?: components["schemas"]["Iso15143Section"];
            FuelUsed?: components["schemas"]["Iso15143Section"];
            FuelUsedLast24?: components["schemas"]["Iso15143Section"];
            Distance?: components["schemas"]["Iso15143Section"];
            CumulativeIdleHours?: components["schemas"]["Iso15143Section"];
            FuelRemaining?: components["schemas"]["Iso15143Section"];
            DEFRemaining?: components["schemas"]["Iso15143Section"];
            EngineStatus?: components["schemas"]["Iso15143Section"];
            CumulativePowerTakeOffHours?: components["schemas"]["Iso15143Section"];
            AverageLoadFactorLast24?: components["schemas"]["Iso15143Section"];
            CumulativeLoadCount?: components["schemas"]["Iso15143Section"];
            CumulativePayloadTotals?: components["schemas"]["Iso15143Section"];
            CumulativeActiveRegenerationHours?: components["schemas"]["Iso15143Section"];
            CumulativeIdleNonOperatingHours?: components["schemas"]["Iso15143Section"];
        };
        Iso15143Section: {
            /**
             * Format: date-time
             * @description Of this section alone; UTC, whole seconds
             */
            datetime: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Beside the links the sections, ascending, under their name, such as `Location` */
        Iso15143Series: {
            links: components["schemas"]["Iso15143Links"];
        } & {
            [key: string]: components["schemas"]["Iso15143Section"][];
        };
        IssuedCredentials: {
            mqtt: components["schemas"]["MqttCredentials"];
        };
        Job: {
            id: components["schemas"]["JobId"];
            /**
             * @description measure: a stockpile; capture: images of a project; label: one picture
             * @enum {string}
             */
            kind: "measure" | "capture" | "label";
            project_id?: components["schemas"]["ProjectId"];
            /**
             * @description canceled, completed and failed are final
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "canceled";
            /** @description What is worked on; empty before the first stage */
            stage: string;
            /** @description Of this attempt and those before; it never falls */
            progress_percent: number;
            /** @description Begun so far; the first is 1 */
            attempts: number;
            /** @description It ends at its next step */
            cancel_requested: boolean;
            created_at: components["schemas"]["Timestamp"];
            started_at?: components["schemas"]["Timestamp"];
            finished_at?: components["schemas"]["Timestamp"];
            /** @description Why the last attempt failed */
            error?: {
                /** @description In capitals, such as IMAGES_UNUSABLE */
                code: string;
                message: string;
                details?: components["schemas"]["ErrorDetail"][];
            };
        };
        JobDetail: components["schemas"]["Job"] & {
            /** @description Until it is done, those before it included, by how fast such work has been lately: within a factor of two at best. null: it has ended */
            seconds_left: number | null;
            /** @description Path of what it works on: a stockpile, a capture or a zone */
            subject: string;
            /** @description Path of what it made; null: nothing yet, or it failed */
            result: string | null;
        };
        /** @description Job identifier */
        JobId: string;
        JobList: {
            data: components["schemas"]["Job"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description JSON Pointer (RFC 6901) from the reading, such as "/gps/lat" or "/location/coordinates/0"; with "#" before it, from the whole message */
        JsonPointer: string;
        LabelRequest: {
            zone_id: components["schemas"]["WorkZoneId"];
            zone_name: string;
            camera_id: components["schemas"]["CameraId"] | null;
            capture_id: components["schemas"]["CaptureId"];
            taken_at: components["schemas"]["Timestamp"];
            /**
             * Format: uri
             * @description The image, good for some days
             */
            picture_url: string;
            /** @description Of the zone in the reference view, shares of width and height; null: all of it */
            outline: number[][] | null;
            /** @description Why this one */
            reason: string;
        };
        LabelRequestList: {
            data: components["schemas"]["LabelRequest"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description [latitude, longitude] */
        LatLng: [
            number,
            number
        ];
        LimitRule: {
            /** @description Unique in the plan */
            id: string;
            name?: string;
            /** @description A numeric telemetry field */
            field: string;
            /** @description Exceeded above this value */
            above?: number;
            /** @description Exceeded below this value */
            below?: number;
            /**
             * @description Seconds that the value must stay beyond the limit; gaps over 5 min start anew
             * @default 0
             */
            for_s: number;
            /** @description Value at which it is over; default: the limit itself */
            clear_at?: number;
            /**
             * @default warning
             * @enum {string}
             */
            severity: "info" | "warning" | "critical";
        };
        ListedCapture: {
            id: components["schemas"]["CaptureId"];
            /** @enum {string} */
            status: "processing" | "completed" | "failed";
            /**
             * Format: date-time
             * @description While it is processing: estimated anew, never in the past; then when it ended
             */
            estimated_completion: string;
            /** @description Images that were received */
            images_count: number;
            project_id: components["schemas"]["ProjectId"];
            /** @enum {string} */
            capture_type: "drone" | "cctv" | "manual";
            /**
             * @description survey: sent to POST /surveys; no zone is compared, and there is no report
             * @enum {string}
             */
            purpose: "progress" | "survey";
            /** @description Percent of the work on it */
            progress: number;
            /** @description What is being done; queued, completed or failed else */
            stage: string;
            report_id: components["schemas"]["ReportId"] | null;
            /** @description Why there is no report of a completed capture */
            no_report: string | null;
            error: components["schemas"]["CaptureFailure"] | null;
            warnings: string[];
            /**
             * Format: date-time
             * @description When it was received
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ended
             */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When the images were taken; null until it is completed
             */
            capture_date: string | null;
        };
        ListedMeasurement: {
            stockpile_id: components["schemas"]["StockpileId"];
            /** @description Cubic metres, three decimals: what the stockpile held until then, declared or measured */
            previous_volume_m3: number;
            /** @description Cubic metres, three decimals: cut less fill above the base */
            current_volume_m3: number;
            /** @description Cubic metres, three decimals: current less previous, exactly */
            change_m3: number;
            /**
             * Format: date-time
             * @description flown_at; absent: when the newest image was taken, else when it was requested
             */
            measured_at: string;
            /** @description A percentage as text, such as "98.6%": 100 less the 95 % relative uncertainty */
            accuracy: string;
            measurement_id: components["schemas"]["MeasurementId"];
            project_id: components["schemas"]["ProjectId"];
            job_id: components["schemas"]["JobId"];
            recorded_at: components["schemas"]["Timestamp"];
            /**
             * @description Source of the previous volume: a person, or a measurement; none: there is none, and the change counts from 0
             * @enum {string}
             */
            change_basis: "declared" | "measured" | "none";
            previous_measurement_id?: components["schemas"]["MeasurementId"];
            /** @description false: of an older survey that arrived late, so not the stockpile's volume */
            is_current: boolean;
            /** @description What the uncertainty comes from */
            accuracy_note: string;
            /** @description Cubic metres, three decimals: half of the 95 % interval of the volume */
            uncertainty_95_m3: number;
            /** @description Cubic metres, three decimals: one standard deviation of the volume */
            sigma_m3: number;
            sigma_terms_m3: components["schemas"]["SigmaTerms"];
            /** @description Cubic metres, three decimals: half of the 95 % interval of the change; absent: the previous volume was declared, or is of another footprint or base */
            change_uncertainty_95_m3?: number;
            /** @description Whether the change is beyond its uncertainty; absent in the same cases */
            significant?: boolean;
            /** @description Cubic metres, three decimals: above the base */
            cut_m3: number;
            /** @description Cubic metres, three decimals: below the base */
            fill_m3: number;
            /** @description Cubic metres, three decimals: cut less fill, below 0 where current_volume_m3 is 0 because the surface lies below its base; absent: measured before it was kept */
            net_m3?: number;
            /** @description Cubic metres, three decimals: what the surface rounds off of top and toe, by its change with resolution: part of volume, net, cut and fill, not of the maps; absent: nothing that could be told from noise */
            rounded_off_m3?: number;
            toe_footprint?: components["schemas"]["Polygon"];
            /** @description Of the footprint, square metres */
            area_m2: number;
            /** @description Above the base, metres */
            max_height_m: number;
            /** @description Of the footprint: what has a height */
            coverage_percent: number;
            /** @description Of that: what took its height from around it */
            interpolated_percent: number;
            base: components["schemas"]["MeasuredBase"];
            /** @enum {string} */
            footprint_status: "none" | "proposed" | "confirmed";
            /** @enum {string} */
            georeferencing: "gps" | "rtk" | "control_points" | "scale_bars" | "given";
            vertical_datum: components["schemas"]["VerticalDatum"];
            /**
             * @description How it was brought onto the frame of the earlier measurements
             * @enum {string}
             */
            alignment: "first" | "joint_adjustment" | "stable_ground" | "georeferenced";
            /** @description Ground sample distance of the photographs as they were taken, centimetres; of a given surface, its cell */
            gsd_cm: number;
            /** @description Cell of the grid that volumes are summed on, metres */
            cell_m: number;
            density_t_per_m3?: number;
            /** @description Volume times the stockpile's density */
            tonnes?: number;
            images: {
                given: number;
                /** @description Absent: a surface was given */
                oriented?: number;
                /** @description The reason for each one left out */
                refused: string[];
            };
            warnings: string[];
            /**
             * Format: uri
             * @description The measurement's report, one HTML page to read and to print; opens without a header for 7 days
             */
            report_url: string;
            /**
             * Format: uri
             * @description Sections through the pile, SVG; opens without a header for 7 days
             */
            profile_url: string;
        };
        ListedProgressReport: components["schemas"]["ProgressReportHead"] & {
            comparison: {
                /** @description Percent, one decimal: by the plan, of the zones that progress_percentage covers, each at the time of its figure */
                planned: number;
                /** @description Percent, one decimal: the same as progress_percentage */
                actual: number;
                /** @description actual less planned, points, exactly */
                variance: number;
                /**
                 * @description What planned is computed from: the imported schedule, or a line between the project's planned dates
                 * @enum {string}
                 */
                basis: "schedule" | "project_dates";
                /** @description Percent, one decimal: of the project, by weight, that progress_percentage covers */
                seen_percent: number;
            };
            zones_completed: number;
            total_zones: number;
        };
        /** @description bounds, epsg and cell_m are null where the surface can no longer be read */
        ListedSurvey: {
            id: components["schemas"]["SurveyId"];
            project_id: components["schemas"]["ProjectId"];
            source: components["schemas"]["SurveySource"];
            /**
             * Format: date-time
             * @description When the images were taken
             */
            captured_at: string;
            /**
             * Format: date-time
             * @description When its products were stored
             */
            recorded_at: string;
            bounds: components["schemas"]["SurveyBounds"] | null;
            /** @description System of the products; null: without a code */
            epsg: number | null;
            coordinate_system: string | null;
            /** @description Cell of the surface, metres */
            cell_m: number | null;
            /** @description Ground sample distance of the photographs, centimetres; null: not stated */
            gsd_cm: number | null;
            /** @description Lowest height of the surface, metres */
            lowest_m: number | null;
            /** @description Highest height of the surface, metres */
            highest_m: number | null;
            vertical_datum: components["schemas"]["VerticalDatum"];
            accuracy: components["schemas"]["SurveyAccuracy"];
            warnings: string[];
            /** @description null: the survey's report cannot be read */
            findings: components["schemas"]["SurveyFinding"][] | null;
            products: {
                /**
                 * Format: uri
                 * @description Surface, Cloud Optimized GeoTIFF; may be named as an image; opens without a header for 6 days at least
                 */
                surface_url: string;
                /**
                 * Format: uri
                 * @description True orthophoto, GeoTIFF; null: there is none; opens without a header for 6 days at least
                 */
                orthomosaic_url: string | null;
                /**
                 * Format: uri
                 * @description Textured model, GLB; opens without a header for 6 days at least
                 */
                model_3d_url: string | null;
                /**
                 * Format: uri
                 * @description Quality report, one HTML page; opens without a header for 6 days at least
                 */
                survey_report_url: string;
                /**
                 * Format: uri
                 * @description The same as PDF; 501 where the server has no Chromium; opens without a header for 6 days at least
                 */
                survey_report_pdf_url: string;
                exports: components["schemas"]["SurveyExportUrls"];
            };
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
        };
        /** @description Seconds without a message until the asset is silent, or without a new position until its GPS is stuck; set it to three or more reporting intervals */
        LivenessTimeout: number;
        Load: {
            asset_id: components["schemas"]["AssetId"];
            entered_at: components["schemas"]["Timestamp"];
            exited_at: components["schemas"]["Timestamp"];
            /**
             * @description brought to the pile, taken from it, none: the load did not change, unknown: not weighed
             * @enum {string}
             */
            kind: "brought" | "taken" | "none" | "unknown";
            /** @description Carried in less carried out; absent: unknown */
            tonnes?: number;
            /** @description Half of the 95 % interval, without the scale error of the machine */
            uncertainty_95_tonnes?: number;
            /** @description Median before the entry */
            payload_before_kg?: number;
            /** @description Median after the exit */
            payload_after_kg?: number;
            /** @description Readings of payload_kg in that median */
            readings_before: number;
            readings_after: number;
            /** @enum {string} */
            confidence: "good" | "low" | "none";
            /** @description Why the confidence is not good */
            remarks: string[];
            /** @description It came before the first measurement and left after it: counted here */
            spans_from_measurement: boolean;
            /** @description More than one where the machine was away for at most a minute */
            visit_ids: components["schemas"]["VisitId"][];
        };
        Location: {
            /** @description Degrees north, WGS 84 */
            latitude: number;
            /** @description Degrees east, WGS 84 */
            longitude: number;
        };
        /** @description As on the machine's plate */
        MachineText: string;
        /** @description null: no longer known */
        MachineTextChange: components["schemas"]["MachineText"] | null;
        MaintenancePlan: {
            services?: components["schemas"]["ServiceItem"][];
            limits?: components["schemas"]["LimitRule"][];
            faults?: components["schemas"]["FaultSeverities"];
        };
        MaintenanceStatus: {
            asset_id: components["schemas"]["AssetId"];
            /**
             * @description The worst of the services
             * @enum {string}
             */
            status: "ok" | "warning" | "due";
            /**
             * @description Absent: the asset has no plan
             * @enum {string}
             */
            plan_source?: "asset" | "asset_type";
            services: components["schemas"]["ServiceStatus"][];
            /** @description Limits that are exceeded */
            limits: components["schemas"]["ExceededLimit"][];
            /** @description Active faults */
            faults: components["schemas"]["ActiveFault"][];
        };
        /** @description true: make point cloud, terrain and contours as well; the answer then takes a second or more longer. Cameras are always made. The same images again with true make only these files */
        MakeExports: boolean;
        /** @description Material name; filters compare it without regard to case */
        MaterialName: string;
        MeasureRequest: {
            /** @description Drone images of the stockpile, five or more; or one GeoTIFF of heights (a DSM) */
            images: (components["schemas"]["ImageUrl"] | components["schemas"]["NamedImage"] | components["schemas"]["UploadedFile"])[];
            /**
             * Format: date-time
             * @description When it was flown; not in the future. Absent: the newest time in the images' EXIF, else now
             */
            flown_at?: string;
            control_points?: components["schemas"]["ControlPoint"][];
            /** @description true: the points are those of a larger flight, and marks in images that are not among these do not count. Absent: such a mark is an error */
            control_points_subset?: boolean;
            scale_bars?: components["schemas"]["ScaleBar"][];
            surface_height_unit?: components["schemas"]["HeightUnit"];
            profile?: components["schemas"]["SurveyProfile"];
            orthophoto?: components["schemas"]["OrthophotoCells"];
            output_crs?: components["schemas"]["OutputSystem"];
            geoid_grid?: components["schemas"]["GeoidGrid"];
            exports?: components["schemas"]["MakeExports"];
            /** @description Distance of contour lines in height, metres; only with exports: true. Absent: chosen from the relief */
            contour_interval_m?: number;
        };
        MeasuredBase: {
            /** @enum {string} */
            method: "plane" | "tin" | "survey" | "level";
            /** @description Spread of the ground about it, metres; 0: given */
            nmad_m: number;
            /** @enum {string} */
            from: "this_epoch" | "first_epoch" | "given";
        };
        MeasuredImage: {
            name: string;
            /** @enum {string} */
            use: "used" | "unreadable" | "duplicate" | "blurred" | "one_tone" | "unmatched" | "not_oriented" | "not_reached";
            reason: string | null;
            signed_url: components["schemas"]["SignedImageUrl"];
        };
        MeasuredVolume: {
            measurement_id: components["schemas"]["MeasurementId"];
            measured_at: components["schemas"]["Timestamp"];
            volume_m3: number;
            /** @description Half of the 95 % interval */
            uncertainty_95_m3: number;
        };
        Measurement: components["schemas"]["ListedMeasurement"] & {
            /** @description Every image that was sent, with its outcome */
            image_uses?: components["schemas"]["MeasuredImage"][];
            /**
             * Format: uri
             * @description Surface, Cloud Optimized GeoTIFF in UTM; may be named again as the one image of a measurement; opens without a header for 7 days
             */
            surface_url: string;
            /**
             * Format: uri
             * @description True orthophoto, GeoTIFF; absent: only a surface was given; opens without a header for 7 days
             */
            orthomosaic_url?: string;
            /**
             * Format: uri
             * @description Textured model, GLB; opens without a header for 7 days
             */
            model_3d_url?: string;
            /**
             * Format: uri
             * @description Relief with the footprint, PNG; opens without a header for 7 days
             */
            hillshade_url: string;
            /**
             * Format: uri
             * @description Heights above the base in colours, PNG; opens without a header for 7 days
             */
            heights_url: string;
            /**
             * Format: uri
             * @description Change since the previous measurement in colours, PNG; absent: the first; opens without a header for 7 days
             */
            change_url?: string;
            /**
             * Format: uri
             * @description The survey's own quality report, one HTML page; opens without a header for 7 days
             */
            survey_report_url: string;
            /**
             * Format: uri
             * @description The same as PDF, printed when it is opened, which takes seconds; 501 where the server has no Chromium; opens without a header for 7 days
             */
            survey_report_pdf_url: string;
            exports: components["schemas"]["SurveyExportUrls"];
        };
        /** @description Measurement identifier */
        MeasurementId: string;
        MeasurementList: {
            data: components["schemas"]["ListedMeasurement"][];
            pagination: components["schemas"]["Pagination"];
        };
        MeasurementReport: {
            stockpile: {
                id: components["schemas"]["StockpileId"];
                project_id: components["schemas"]["ProjectId"];
                material: string;
                location: string;
                max_capacity_m3: number;
            };
            measurement: components["schemas"]["Measurement"];
            /** @description Sections `along` the pile's longest axis and `across` it: distance_m, surface_m, base_m and previous_m in metres, null = no data */
            profile?: {
                [key: string]: unknown;
            };
        };
        MessageEntry: {
            /**
             * Format: date-time
             * @description Server clock, UTC
             */
            received_at: string;
            /**
             * @description late: stored, and older than what the asset had sent before; duplicate: a resent message that was stored the first time; quarantined: kept as received, see `reason`; foreign_topic: not one of the asset's own topics, dropped; ignored: nothing in it is kept
             * @enum {string}
             */
            outcome: "stored" | "late" | "duplicate" | "quarantined" | "foreign_topic" | "ignored";
            reason?: string;
            /** @description Values that were changed or left out, and names that are probably misspelt; the message is stored all the same */
            notices?: string[];
            topic: string;
            payload_bytes: number;
            qos: number;
            readings: number;
            /**
             * Format: date-time
             * @description Newest fix time of its readings
             */
            newest_fix_at?: string;
        };
        MessageList: {
            data: components["schemas"]["MessageEntry"][];
            pagination: components["schemas"]["Pagination"];
            /**
             * Format: date-time
             * @description The service started then; earlier messages are not listed. Absent: no process that takes messages answered
             */
            recorded_since?: string;
        };
        /** @description Seconds that an asset must stay beyond the edge before a crossing is reported */
        MinDwell: number;
        /** @description true: the device says that its position is made up by an app; it is not used for geofences, distance or work. Absent: measured, as far as the device says */
        Mocked: boolean;
        /**
         * @description reported: by the device, with this fix; derived: from this fix and those before it; none: not known, and given as 0
         * @enum {string}
         */
        MotionSource: "reported" | "derived" | "none";
        MqttAccess: {
            /** @description As at the log-in */
            username?: string | null;
            /** @enum {string} */
            action: "publish" | "subscribe";
            /** @description Topic, or filter of a subscription */
            topic: string;
            /** @description `client_attrs.key_id` of the log-in */
            key_id?: string | null;
        };
        MqttAccessResult: {
            /** @enum {string} */
            result: "allow" | "deny";
        };
        MqttCredentials: {
            username: components["schemas"]["AssetId"];
            /** @description Shown once: absent when the answer is repeated */
            password?: string;
            /** @description Where the device publishes its readings */
            topic: string;
            hint?: string;
        };
        MqttLogin: {
            /** @description Asset id; `apikey` for a reader of events */
            username?: string | null;
            /** @description The asset's secret; the reader's API key */
            password?: string | null;
            /** @description MQTT client id; `plumbline-...` is reserved for the service */
            clientid?: string | null;
        };
        MqttLoginResult: {
            /** @enum {string} */
            result: "allow" | "deny";
            /** @description The service itself: no topic is refused */
            is_superuser: boolean;
            client_attrs?: {
                /** @description To be sent with each request to /acl */
                key_id: string;
            };
        };
        NamedImage: {
            url: components["schemas"]["ImageUrl"];
            /** @description Name of the image in warnings; absent: the end of its URL's path */
            name?: string;
        };
        NewAlertMute: {
            asset_id: components["schemas"]["AssetId"];
            /** @enum {string} */
            type: "equipment.geofence.entered" | "equipment.geofence.exited" | "equipment.limit.exceeded" | "equipment.fault.raised" | "equipment.maintenance.warning" | "equipment.maintenance.due" | "equipment.asset.offline" | "equipment.asset.silent" | "equipment.asset.gps_stuck";
            geofence_id?: components["schemas"]["GeofenceId"];
            /**
             * @description Worse alerts are not muted; absent: warning
             * @enum {string}
             */
            max_severity?: "info" | "warning" | "critical";
            /**
             * Format: date-time
             * @description Exclusive; at most 30 days from now
             */
            until: string;
            note?: string;
        };
        NewApiKey: {
            name: string;
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            plan?: "standard" | "enterprise";
            /** @description Projects the key may see; absent: all */
            project_ids?: components["schemas"]["ProjectId"][];
            expires_at?: components["schemas"]["Timestamp"];
        };
        NewAsset: {
            name: string;
            type: string;
            project_id: components["schemas"]["ProjectId"];
            id?: components["schemas"]["AssetId"];
            location?: components["schemas"]["Location"];
            decoder?: components["schemas"]["DecoderName"];
            decoder_options?: components["schemas"]["DecoderOptions"];
            hardware_id?: components["schemas"]["HardwareId"];
            make?: components["schemas"]["MachineText"];
            model?: components["schemas"]["MachineText"];
            serial_number?: components["schemas"]["MachineText"];
            /** @description A person took the machine out of service */
            maintenance?: boolean;
            liveness_timeout_s?: components["schemas"]["LivenessTimeout"];
        };
        NewCalibration: {
            /** @description Percent */
            progress?: number;
            /** @description One of the zone's stages */
            stage?: string;
            capture_id?: components["schemas"]["CaptureId"];
            /**
             * Format: uri
             * @description http(s) URL, address that POST /progress/images gave, or data: URL in base64
             */
            image_url?: string;
            camera_id?: components["schemas"]["CameraId"];
            /**
             * Format: date-time
             * @description When the image of image_url was taken. Absent: the time in its EXIF, else now
             */
            taken_at?: string;
            /** @description Who says so */
            labelled_by?: string;
        };
        /** @description One label for each camera whose view was labelled */
        NewCalibrations: {
            data: components["schemas"]["Calibration"][];
        };
        NewCamera: {
            project_id: components["schemas"]["ProjectId"];
            name: string;
            /** @description Zones are outlined in it, and images registered to it: an address of POST /progress/images */
            reference_image: string;
            zones?: components["schemas"]["OutlinedZones"];
            url_prefixes?: components["schemas"]["ImageUrlPrefixes"];
            id?: components["schemas"]["CameraId"];
        };
        NewCapture: {
            project_id: components["schemas"]["ProjectId"];
            /** @enum {string} */
            capture_type: "drone" | "cctv" | "manual";
            /** @description A flight needs five or more, or one GeoTIFF of heights, or `flight_metadata.dsm_url`. Of fixed cameras and by hand, an address may say behind its `#` what it shows: `#camera=cam_1`, `#zone=flat-3` */
            images: (components["schemas"]["ImageUrl"] | components["schemas"]["NamedImage"] | components["schemas"]["UploadedFile"])[];
            flight_metadata?: components["schemas"]["FlightMetadata"];
        };
        NewCircleGeofence: components["schemas"]["GeofenceRules"] & {
            circle: components["schemas"]["Circle"];
        };
        NewCorridorGeofence: components["schemas"]["GeofenceRules"] & {
            corridor: components["schemas"]["Corridor"];
        };
        NewFleetSource: {
            url: components["schemas"]["FleetUrl"];
            name?: string;
            auth?: components["schemas"]["GivenFleetAuth"];
            /** @description Seconds between the starts of two polls; default 900 */
            interval_s?: number;
            series?: components["schemas"]["FleetSeries"];
        };
        NewForwarder: {
            /**
             * @description `traccar_http`: one POST per position; `mqtt`: QoS 1 to another broker
             * @enum {string}
             */
            kind: "traccar_http" | "mqtt";
            /**
             * Format: uri
             * @description http(s)://... or mqtt(s)://host:port; public addresses, and those of OUTBOUND_ALLOW_CIDRS
             */
            url: string;
            name?: string;
            project_ids?: components["schemas"]["ProjectIds"];
            credentials?: components["schemas"]["ForwarderCredentials"];
            /** @description MQTT topic; {project}, {asset} and {hardware_id} are filled in */
            topic?: string;
            format?: components["schemas"]["ForwardFormat"];
            /**
             * @description Where it begins: with readings acknowledged from now on
             * @enum {string}
             */
            from?: "now";
        };
        NewGeofence: components["schemas"]["GeofenceRules"] & {
            polygon: components["schemas"]["Polygon"];
        };
        NewObservation: {
            /** @description Percent; 100 confirms the zone complete. Required unless stage is given */
            progress?: number;
            /** @description Of a zone of the metric stages: the one it is in; progress is then its credit */
            stage?: string;
            interval_95?: components["schemas"]["PercentInterval"];
            /**
             * Format: date-time
             * @description Time of the observation; not in the future. Absent: when the capture was taken, else now
             */
            observed_at?: string;
            /** @description The observer; absent: the name of the API key */
            observed_by?: string;
            note?: string;
            /**
             * Format: uri
             * @description A photograph of it, JPEG, PNG or WebP: an address that POST /progress/images gave
             */
            image_url?: string;
            /** @description The capture that the person assessed: its views of the zone become labels of the models */
            capture_id?: components["schemas"]["CaptureId"];
        };
        NewProject: {
            name: string;
            location: components["schemas"]["Location"];
            id?: components["schemas"]["ProjectId"];
            /** @description IANA time zone name */
            time_zone?: string;
            shift?: components["schemas"]["Shift"];
            /**
             * Format: date
             * @description ISO 8601 calendar date
             */
            planned_start?: string;
            /**
             * Format: date
             * @description ISO 8601 calendar date
             */
            planned_finish?: string;
        };
        NewReportCorrection: {
            zones: {
                zone_id: components["schemas"]["WorkZoneId"];
                /** @description Percent: actual progress of the zone on the capture date; 100 confirms it complete */
                progress: number;
                interval_95?: number[];
                note?: string;
            }[];
            /** @description Author of the correction; absent: the id of the API key */
            corrected_by?: string;
            note?: string;
        };
        NewService: {
            /** @description A service of the asset's plan */
            item: string;
            /**
             * Format: date-time
             * @description When the work was done; default: now
             */
            serviced_at?: string;
            /** @description What the machine's meter showed; default: what it reported at that time */
            engine_hours?: number;
            odometer_km?: number;
            note?: string;
        };
        NewSession: {
            /** @description An API key; the session has its rights, whatever they are at each request */
            key: string;
        };
        NewStockpile: components["schemas"]["StockpileFields"] & {
            id?: components["schemas"]["StockpileId"];
            /** @description Cubic metres, three decimals, declared by a person */
            current_volume_m3?: number;
            /**
             * Format: date-time
             * @description When it held the declared volume; not in the future. Absent: now
             */
            measured_at?: string;
            thresholds?: components["schemas"]["GivenThresholds"];
            base?: components["schemas"]["StockpileBase"];
        };
        NewSurvey: {
            project_id: components["schemas"]["ProjectId"];
            /** @description Five photographs or more, or one GeoTIFF of heights, or `flight_metadata.dsm_url` */
            images: (components["schemas"]["ImageUrl"] | components["schemas"]["NamedImage"] | components["schemas"]["UploadedFile"])[];
            flight_metadata?: components["schemas"]["FlightMetadata"];
        };
        NewVolume: {
            footprint: components["schemas"]["Polygon"];
            base?: components["schemas"]["VolumeBase"];
        };
        NewVolumePreview: {
            footprint: components["schemas"]["Polygon"];
            base?: components["schemas"]["VolumeBase"];
            measurement_id?: components["schemas"]["MeasurementId"];
        };
        NewWebhook: {
            /**
             * Format: uri
             * @description http or https; public addresses, and those of OUTBOUND_ALLOW_CIDRS
             */
            url: string;
            name?: string;
            types?: components["schemas"]["EventTypePatterns"];
            project_ids?: components["schemas"]["ProjectIds"];
            /** @description `whsec_` and 24 to 64 bytes as base64; absent: one is made */
            secret?: string;
        };
        NewWorkZone: {
            project_id: components["schemas"]["ProjectId"];
            name: components["schemas"]["ZoneName"];
            metric: components["schemas"]["ZoneMetric"];
            id?: components["schemas"]["WorkZoneId"];
            polygon?: components["schemas"]["Polygon"];
            weight?: components["schemas"]["ZoneWeight"];
            declared_progress?: components["schemas"]["DeclaredProgress"];
            /**
             * Format: date-time
             * @description When the declared progress was true; not in the future. Absent: now
             */
            declared_at?: string;
            activities?: components["schemas"]["ZoneActivitiesChange"];
        };
        NoBaseMap: {
            /** @enum {string} */
            kind: "none";
        };
        Observation: {
            id: components["schemas"]["ObservationId"];
            zone_id: components["schemas"]["WorkZoneId"];
            project_id: components["schemas"]["ProjectId"];
            /** @description Percent */
            progress: number;
            interval_95?: components["schemas"]["PercentInterval"];
            /**
             * Format: date-time
             * @description When it was so
             */
            observed_at: string;
            /** @description Who says so */
            observed_by: string;
            note: string;
            /**
             * Format: uri
             * @description The photograph, which opens without a header for six days at least; with `&w=160`, 320, 640 or 1280 as a WebP that wide. Absent: none
             */
            image_url?: string;
            /**
             * @description correction: made by correcting a report
             * @enum {string}
             */
            source: "observation" | "correction";
            /**
             * Format: date-time
             * @description When it was recorded
             */
            recorded_at: string;
        };
        /** @description Observation identifier */
        ObservationId: string;
        ObservationList: {
            data: components["schemas"]["Observation"][];
            pagination: components["schemas"]["Pagination"];
        };
        ObservationWithLabels: components["schemas"]["Observation"] & {
            /** @description Views of the zone that became labels of its models; 0 without a capture */
            labels: number;
        };
        OpenApiDocument: {
            [key: string]: unknown;
        };
        /**
         * @description Cells of the orthophoto: those of the profile (default), or native, one for each pixel of the photographs, at most 64 million; native goes with profile full
         * @enum {string}
         */
        OrthophotoCells: "profile" | "native";
        /** @description Corners [x, y] in the reference view: shares of its width and height from the upper left corner, 0 to 1 */
        Outline: number[][];
        /** @description Where it sees which zones; those of the metrics image and stages are estimated */
        OutlinedZones: {
            zone_id: components["schemas"]["WorkZoneId"];
            outline: components["schemas"]["Outline"];
        }[];
        /** @description Coordinate system of the maps, "EPSG:2180": a projected one in metres or feet. Absent: the UTM zone */
        OutputSystem: string;
        Overview: {
            /** Format: date-time */
            as_of: string;
            projects: number;
            /** @description null: the key lacks equipment:read */
            equipment: {
                assets: number;
                /** @description Assets by status */
                status: {
                    active: number;
                    idle: number;
                    maintenance: number;
                };
                /** @description Assets by connection; unknown: no message ever came */
                connection: {
                    ok: number;
                    silent: number;
                    offline: number;
                    gps_stuck: number;
                    unknown: number;
                };
                /** @description Open alerts by severity */
                open_alerts: {
                    critical: number;
                    warning: number;
                    info: number;
                };
                /** @description The three that opened last of the open ones */
                newest_alerts: components["schemas"]["Alert"][];
            } | null;
            /** @description null: the key lacks materials:read */
            materials: {
                stockpiles: number;
                /** @description Stockpiles with a declared or measured volume by status */
                status: {
                    empty: number;
                    low: number;
                    adequate: number;
                    full: number;
                };
                /** @description Stockpiles without any volume */
                unknown: number;
            } | null;
            /** @description null: the key lacks progress:read */
            progress: {
                captures_processing: number;
                /** @description The newest report of each project that has one */
                reports: components["schemas"]["ListedProgressReport"][];
                /** @description False: there are more than 100 projects; ask for one of them */
                reports_complete: boolean;
            } | null;
        };
        OwnCredential: components["schemas"]["OwnKey"] | components["schemas"]["OwnDevice"];
        OwnDevice: {
            /** @enum {string} */
            kind: "device";
            id: components["schemas"]["AssetId"];
            name: string;
            project_id: components["schemas"]["ProjectId"];
            decoder: components["schemas"]["DecoderName"];
            /** @description None: it reads nothing */
            scopes: components["schemas"]["Scope"][];
            /** @description Assets whose readings it may send, by MQTT and `/api/v1/ingest`: itself, and those behind it as a gateway */
            sends_for: components["schemas"]["AssetId"][];
            /** @description Over all areas; X-RateLimit-* counts them */
            requests_per_minute: number;
        };
        OwnKey: {
            /** @enum {string} */
            kind: "key";
            /** @description `admin`: the key of ADMIN_API_KEY */
            id: string;
            name: string;
            /** @description Every scope it has, with those of admin */
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            plan: "standard" | "enterprise";
            /** @description Projects the key may see; absent: all */
            project_ids?: components["schemas"]["ProjectId"][];
            expires_at?: components["schemas"]["Timestamp"];
            /** @description Over all areas; X-RateLimit-* counts them */
            requests_per_minute: number;
        };
        OwnSession: {
            id: components["schemas"]["SessionId"];
            /** @description `admin`: the key of ADMIN_API_KEY */
            key_id: string;
            key_name: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Last request, up to a minute ago
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description End of the session without another request: 12 h after the last one, 30 days after the log-in, or when the key expires
             */
            expires_at: string;
            /** @description Every scope it has, with those of admin */
            scopes: components["schemas"]["Scope"][];
            /** @enum {string} */
            plan: "standard" | "enterprise";
            /** @description Projects the key may see; absent: all */
            project_ids?: components["schemas"]["ProjectId"][];
            /** @description Of this session, over all areas; X-RateLimit-* counts them */
            requests_per_minute: number;
        };
        Pagination: {
            /** @description floor(offset / limit) + 1 */
            page: number;
            limit: number;
            total: number;
            has_more: boolean;
        };
        PayloadMapping: {
            /** @description JSON Pointer to the array of readings, or to the one reading; default: the whole message */
            readings?: string;
            time?: {
                pointer: components["schemas"]["JsonPointer"];
                /**
                 * @description Default: epoch ms as number or digits, or ISO 8601
                 * @enum {string}
                 */
                unit?: "ms" | "s" | "iso";
            };
            /** @description A counter of readings */
            seq?: {
                pointer: components["schemas"]["JsonPointer"];
            };
            /** @description By the name that the number is stored under */
            fields: {
                [key: string]: components["schemas"]["FieldMapping"];
            };
            /** @description An array of J1939 fault codes; the other pointers begin at each of them */
            faults?: {
                pointer: components["schemas"]["JsonPointer"];
                spn: components["schemas"]["JsonPointer"];
                fmi: components["schemas"]["JsonPointer"];
                occurrence_count?: components["schemas"]["JsonPointer"];
                source?: components["schemas"]["JsonPointer"];
            };
        };
        PercentInterval: number[];
        PlannedProgress: {
            project_id: components["schemas"]["ProjectId"];
            /** @enum {string} */
            basis: "schedule" | "project_dates";
            schedule_revision?: number;
            /**
             * Format: date-time
             * @description Of the plan
             */
            start: string;
            /**
             * Format: date-time
             * @description Of the plan
             */
            finish: string;
            data: {
                /**
                 * Format: date-time
                 * @description Time of the values
                 */
                at: string;
                /** @description One decimal */
                planned_percent: number;
                zones: {
                    zone_id: components["schemas"]["WorkZoneId"];
                    name: string;
                    /** @description One decimal */
                    planned_percent?: number;
                }[];
            }[];
        };
        PmtilesBaseMap: {
            /** @enum {string} */
            kind: "pmtiles";
            files: {
                name: string;
                /** @description On this service; takes `Range` */
                path: string;
                bytes: number;
            }[];
        };
        /** @description Corners as [latitude, longitude], 3 to 1000, closed or not; must not cross or touch itself, and has 1 m2 or more */
        Polygon: components["schemas"]["LatLng"][];
        /** @description Assets of the project to check; absent: all */
        PreviewAssets: components["schemas"]["AssetId"][];
        PreviewCircle: components["schemas"]["PreviewRules"] & {
            circle: components["schemas"]["Circle"];
        };
        PreviewCorridor: components["schemas"]["PreviewRules"] & {
            corridor: components["schemas"]["Corridor"];
        };
        /**
         * Format: date-time
         * @description Start of the past range, inclusive, at most 72 h before its end. Absent: no crossings are searched for
         */
        PreviewFrom: string;
        PreviewPolygon: components["schemas"]["PreviewRules"] & {
            polygon: components["schemas"]["Polygon"];
        };
        PreviewRules: {
            project_id: components["schemas"]["ProjectId"];
            exit_buffer_m?: components["schemas"]["ExitBuffer"];
            confirm_fixes?: components["schemas"]["ConfirmFixes"];
            min_dwell_s?: components["schemas"]["MinDwell"];
            from?: components["schemas"]["PreviewFrom"];
            to?: components["schemas"]["PreviewTo"];
            asset_ids?: components["schemas"]["PreviewAssets"];
        };
        /**
         * Format: date-time
         * @description End of the range, exclusive; absent: now
         */
        PreviewTo: string;
        ProgressCurve: {
            project_id: components["schemas"]["ProjectId"];
            plan: {
                /** @enum {string} */
                basis: "schedule" | "project_dates";
                revision: number | null;
                start: components["schemas"]["Timestamp"];
                finish: components["schemas"]["Timestamp"];
                /** @description Of the whole project, seen or not */
                points: {
                    at: components["schemas"]["Timestamp"];
                    planned_percent: number;
                }[];
            } | null;
            /** @description Oldest first; interval_95 is of the whole project, seen_interval_95 of the percent */
            actual: {
                report_id: components["schemas"]["ReportId"];
                capture_date: components["schemas"]["Timestamp"];
                progress_percentage: number;
                seen_percent: number;
                seen_interval_95: components["schemas"]["Interval95"];
                interval_95: components["schemas"]["Interval95"];
                planned: number;
                /** @enum {string} */
                status: "ahead_of_schedule" | "on_schedule" | "behind_schedule" | "completed";
                /** @description Names; not in the percent */
                unseen_zones: string[];
                /** @description Names; older figures, lower bounds */
                earlier_zones: string[];
            }[];
            /** @description Older reports */
            left_out: number;
            earned_value: components["schemas"]["EarnedValue"] | null;
        };
        ProgressReport: components["schemas"]["ProgressReportHead"] & {
            zones: {
                name: string;
                /** @description Percent, one decimal: complete */
                progress: number;
                /** @enum {string} */
                status: "not_started" | "in_progress" | "complete";
                zone_id: components["schemas"]["WorkZoneId"];
                /**
                 * @description The source of the figure
                 * @enum {string}
                 */
                method: "declared" | "dsm_volume" | "dsm_height" | "dsm_area" | "calibrated_image" | "stage_model" | "manual" | "carried_forward";
                /** @description Low and high end of 95 %; an earlier figure is a lower bound only; null: it cannot be bounded */
                interval_95: number[] | null;
                /** @description Of the zone: what this capture saw; 0: the figure is not from it */
                observed_percent: number;
                /** @description Captures and observations behind it, and figures of the method */
                evidence: {
                    [key: string]: unknown;
                };
                /** @description Percent, one decimal: by the plan; null: nothing is planned for it */
                planned: number | null;
                /** @description Share of the project, relative to the other zones */
                weight: number;
                /**
                 * Format: date-time
                 * @description When the figure was true
                 */
                as_of: string;
                /** @description Before smoothing over time */
                raw_progress: number | null;
                /** @description It fell by more than its uncertainty */
                regression_suspected: boolean;
                no_estimate: ("dsm_not_suitable" | "no_surface" | "baseline_taken" | "not_observed" | "not_aligned" | "no_calibration" | "camera_moved" | "unknown_stage") | null;
                notes: string[];
            }[];
            images: {
                /**
                 * Format: uri
                 * @description Orthomosaic (GeoTIFF), or the drawn map of the zones (PNG); opens without a header for 6 days
                 */
                orthomosaic_url: string;
                /**
                 * Format: uri
                 * @description Model, GLB; opens without a header for 6 days
                 */
                model_3d_url: string;
                /**
                 * @description Of a drone survey, or drawn from the outlines of the zones
                 * @enum {string}
                 */
                kind: "survey" | "zone_plan";
                /**
                 * Format: date-time
                 * @description Capture date of the flight that they are of
                 */
                as_of: string;
                /**
                 * Format: uri
                 * @description A picture that browsers show; opens without a header for 6 days
                 */
                map_url: string;
            };
            capture_id: components["schemas"]["CaptureId"];
            /**
             * Format: date-time
             * @description When the report was made
             */
            recorded_at: string;
            /** @description 95 %, of the whole project: what was never seen counts from 0 to 100 */
            interval_95: number[] | null;
            /** @description Percent, one decimal: of the project, by weight, that progress_percentage covers */
            seen_percent: number;
            /** @description 95 %, of progress_percentage; null: nothing was seen */
            seen_interval_95: number[] | null;
            /**
             * @description low: interval_95 crosses a bound of the status
             * @enum {string}
             */
            status_confidence: "high" | "low";
            schedule: {
                /** @description Percent, one decimal: by the plan, of the zones that progress_percentage covers, each at the time of its figure */
                planned: number;
                /** @description Percent, one decimal: by the plan, of the whole project on the capture date */
                planned_all: number;
                /** @description actual less planned, points, exactly */
                variance: number;
                /**
                 * @description What planned is computed from: the imported schedule, or a line between the project's planned dates
                 * @enum {string}
                 */
                basis: "schedule" | "project_dates";
                /** @description Points that still count as on schedule */
                tolerance_points: number;
                /** @description Of the imported schedule */
                revision: number | null;
            };
            earned_value: components["schemas"]["EarnedValue"] | null;
            /** @enum {string} */
            weight_basis: "declared" | "cost" | "work" | "duration" | "volume" | "equal";
            /** @description Corrections count on from 1 */
            revision: number;
            supersedes: components["schemas"]["ReportId"] | null;
            correction: {
                by: string;
                note: string;
            } | null;
            warnings: string[];
            pictures: {
                title: string;
                /**
                 * Format: uri
                 * @description Picture with the outlines of the zones; opens without a header for 6 days
                 */
                url: string;
            }[];
            /**
             * Format: uri
             * @description The report as one HTML page to read and to print; opens without a header for 6 days
             */
            report_url: string;
        };
        ProgressReportHead: {
            id: components["schemas"]["ReportId"];
            project_id: components["schemas"]["ProjectId"];
            /**
             * Format: date-time
             * @description When its images were taken
             */
            capture_date: string;
            /** @description Percent, one decimal: complete, of the zones that were ever seen (seen_percent); 0 while nothing was */
            progress_percentage: number;
            /** @enum {string} */
            status: "ahead_of_schedule" | "on_schedule" | "behind_schedule" | "completed";
        };
        ProgressReportList: {
            data: components["schemas"]["ListedProgressReport"][];
            pagination: components["schemas"]["Pagination"];
        };
        Project: {
            id: components["schemas"]["ProjectId"];
            name: string;
            location: components["schemas"]["Location"];
            /** @description IANA time zone name */
            time_zone: string;
            shift: components["schemas"]["Shift"];
            /**
             * Format: date
             * @description ISO 8601 calendar date
             */
            planned_start?: string;
            /**
             * Format: date
             * @description ISO 8601 calendar date
             */
            planned_finish?: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        ProjectChange: {
            name?: string;
            location?: components["schemas"]["Location"];
            /** @description IANA time zone name */
            time_zone?: string;
            shift?: components["schemas"]["Shift"];
            /**
             * Format: date
             * @description null: none
             */
            planned_start?: string | null;
            /**
             * Format: date
             * @description null: none
             */
            planned_finish?: string | null;
        };
        /** @description Project identifier */
        ProjectId: string;
        ProjectIds: components["schemas"]["ProjectId"][];
        ProjectList: {
            data: components["schemas"]["Project"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The logo as it is stored, PNG */
        ProjectLogo: {
            width_px: number;
            height_px: number;
            size_bytes: number;
        };
        ProjectStorage: {
            project_id: components["schemas"]["ProjectId"];
            /** @description Uploads, surfaces, products of surveys, reports, the logo, and the plans of schedules */
            used_bytes: number;
            files: number;
            /** @description null: no quota */
            limit_bytes: number | null;
            left_bytes: number | null;
        };
        QuarantineList: {
            data: components["schemas"]["QuarantinedMessage"][];
            pagination: components["schemas"]["Pagination"];
            /** @description Counted but not kept: over 1,000 per asset and day */
            dropped: number;
        };
        QuarantineReplay: {
            id: string;
            accepted: boolean;
            reason?: string;
        };
        QuarantinedMessage: {
            id: string;
            asset_id: components["schemas"]["AssetId"];
            project_id: components["schemas"]["ProjectId"];
            received_at: components["schemas"]["Timestamp"];
            topic: string;
            format: string;
            reason: string;
            payload_bytes: number;
            /** @description The first 4096 bytes */
            payload_base64: string;
            replayed_at?: components["schemas"]["Timestamp"];
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @description Why the service is not ready */
            reasons: string[];
            /** @description Damaged files of the data folder that are not repaired yet */
            damage?: {
                /** @enum {string} */
                store: "journal" | "records" | "telemetry";
                /** @description Path below DATA_DIR */
                file: string;
                problem: string;
                /**
                 * Format: date-time
                 * @description When it was found
                 */
                since: string;
                /** @description Requests fail because of it; otherwise the service works around it */
                refuses_answers: boolean;
                /** @description What to run on the server, with the service stopped */
                command: string;
            }[];
            /** @description What needs attention although it stops nothing yet, such as a certificate that expires */
            warnings?: string[];
        };
        Reconciliation: {
            stockpile_id: components["schemas"]["StockpileId"];
            geofence_id: components["schemas"]["GeofenceId"];
            from_measurement: components["schemas"]["MeasuredVolume"];
            to_measurement: components["schemas"]["MeasuredVolume"];
            /**
             * @description agree: within the uncertainties; differ: beyond them; incomplete: beyond them, but loads are missing or were not weighed; no_density: the stockpile has no density to compare by
             * @enum {string}
             */
            verdict: "agree" | "differ" | "incomplete" | "no_density";
            measured: {
                /** @description Change of the volume, cubic metres; uncertainty_95: half of the 95 % interval */
                m3: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description The same by the stockpile's density, tonnes; uncertainty_95: half of the 95 % interval */
                tonnes?: {
                    value: number;
                    uncertainty_95: number;
                };
                /**
                 * @description later_measurement: as measured against the one before; two_volumes: difference of two volumes, with a conservative uncertainty
                 * @enum {string}
                 */
                basis: "later_measurement" | "two_volumes";
            };
            counted: {
                /** @description Loads brought, tonnes; uncertainty_95: half of the 95 % interval */
                brought_tonnes: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description Loads taken, tonnes; uncertainty_95: half of the 95 % interval */
                taken_tonnes: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description Brought less taken, tonnes; uncertainty_95: half of the 95 % interval */
                net_tonnes: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description The same by the stockpile's density, cubic metres; uncertainty_95: half of the 95 % interval */
                net_m3?: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description Whether more was brought or taken than was counted, as far as is known */
                is_lower_bound: boolean;
                brought_loads: number;
                taken_loads: number;
                /** @description Stays without a change of payload beyond noise */
                passes: number;
                /** @description Stays without a payload that shows what they moved */
                unweighed: number;
                /** @description Loads counted with low confidence */
                low_confidence: number;
            };
            /** @description Absent without a density */
            difference?: {
                /** @description Measured less counted, tonnes; uncertainty_95: half of the 95 % interval */
                tonnes: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description Measured less counted, cubic metres; uncertainty_95: half of the 95 % interval */
                m3: {
                    value: number;
                    uncertainty_95: number;
                };
                /** @description Beyond all the uncertainties (95 %) */
                significant: boolean;
            };
            density: {
                /** @description The stockpile's own */
                t_per_m3?: number;
                /** @description Net tonnes over measured change, with the interval by Fieller; absent: the change is within its uncertainty */
                implied_t_per_m3?: {
                    value: number;
                    /** @description Low and high end of the 95 % interval */
                    interval_95: number[];
                };
            };
            machines: {
                asset_id: components["schemas"]["AssetId"];
                stays: number;
                brought_tonnes: number;
                taken_tonnes: number;
                unweighed: number;
                /** @description false: it reported no payload_kg near the fence */
                weighs: boolean;
            }[];
            /** @description Machines in the fence at the second measurement: loads of the next period */
            inside_at_end: {
                asset_id: components["schemas"]["AssetId"];
                entered_at: components["schemas"]["Timestamp"];
            }[];
            /** @description sigma: one standard deviation; and what counts as a load */
            assumed: {
                load_sigma_percent: number;
                calibration_sigma_percent: number;
                density_sigma_percent: number;
                least_load_kg: number;
            };
            warnings: string[];
            /** @description The stays, by the time of exit */
            data: components["schemas"]["Load"][];
            pagination: components["schemas"]["Pagination"];
        };
        RegisteredAsset: components["schemas"]["AssetDetail"] & {
            mqtt: components["schemas"]["MqttCredentials"];
        };
        ReportChanges: {
            report_id: components["schemas"]["ReportId"];
            /** @description null: it is the first one */
            since: {
                report_id: components["schemas"]["ReportId"];
                capture_date: components["schemas"]["Timestamp"];
            } | null;
            project: components["schemas"]["FigureChange"] | null;
            zones: {
                zone_id: components["schemas"]["WorkZoneId"];
                name: string;
                /** @enum {string} */
                basis: "compared" | "not_seen_again" | "first_seen" | "never_seen" | "new_zone" | "removed";
                change: components["schemas"]["FigureChange"];
                before_as_of: components["schemas"]["Timestamp"] | null;
                after_as_of: components["schemas"]["Timestamp"] | null;
            }[];
        };
        /** @description Progress report identifier */
        ReportId: string;
        RotatedSecret: {
            id: components["schemas"]["WebhookId"];
            /** @description Shown once: absent when the answer is repeated */
            secret?: string;
            hint?: string;
            previous_expires_at: components["schemas"]["Timestamp"];
        };
        ScaleBar: {
            length_m: number;
            /** @description Standard deviation, metres */
            sigma_m: number;
            ends: {
                marks: components["schemas"]["ImageMark"][];
            }[];
        };
        Schedule: components["schemas"]["ScheduleRevision"] & {
            /** @description One decimal */
            planned_percent: number;
            /** @enum {string} */
            weight_basis: "cost" | "work" | "duration" | "count";
            zones: components["schemas"]["ScheduleZone"][];
            /** @description Number of activities without a zone */
            unmatched_activities: number;
            /** @description The first 50 of them */
            unmatched: components["schemas"]["UnmatchedActivity"][];
            /** @description What the plan leaves open */
            plan_warnings: string[];
        };
        ScheduleDryRun: {
            /** @description That an import would make */
            revision: number;
            /** @enum {string} */
            format: "xer" | "mspdi" | "csv";
            name: string;
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            finish: string;
            activities: number;
            warnings: string[];
            zones: components["schemas"]["ScheduleZone"][];
            /** @description Number of activities without a zone */
            unmatched_activities: number;
            /** @description The first 50 of them */
            unmatched: components["schemas"]["UnmatchedActivity"][];
            /** @description What the plan leaves open */
            plan_warnings: string[];
            /** @description The newest revision is of this very file */
            is_newest: boolean;
            groups: {
                /** @enum {string} */
                by: "wbs" | "code";
                /** @description Path of the WBS, or code */
                value: string;
                activities: number;
                /** @description Of no zone */
                unmatched: number;
                zone_ids: components["schemas"]["WorkZoneId"][];
                /** @description Name of one activity */
                example: string;
            }[];
            /** @description Listed or not */
            groups_total: number;
        };
        /** @description Schedule revision identifier */
        ScheduleId: string;
        ScheduleRevision: {
            id: components["schemas"]["ScheduleId"];
            project_id: components["schemas"]["ProjectId"];
            /** @description 1, 2, 3, ... in the project */
            revision: number;
            /** @enum {string} */
            format: "xer" | "mspdi" | "csv";
            /** @description SHA-256 of the file, hex */
            sha256: string;
            name: string;
            /**
             * Format: date-time
             * @description As in the file; absent where it has none
             */
            data_date?: string;
            /**
             * Format: date-time
             * @description Earliest start of an activity
             */
            start: string;
            /**
             * Format: date-time
             * @description Latest finish of an activity
             */
            finish: string;
            activities: number;
            /** @description What was left out or assumed */
            warnings: string[];
            /** @description Id of the API key */
            imported_by: string;
            /**
             * Format: date-time
             * @description When the file came
             */
            imported_at: string;
        };
        ScheduleRevisionList: {
            data: components["schemas"]["ScheduleRevision"][];
            pagination: components["schemas"]["Pagination"];
        };
        ScheduleZone: {
            zone_id: components["schemas"]["WorkZoneId"];
            name: string;
            /** @description Number of activities of the zone */
            activities: number;
            /** @description One decimal */
            planned_percent?: number;
        };
        /** @enum {string} */
        Scope: "progress:read" | "progress:write" | "equipment:read" | "equipment:write" | "equipment:command" | "materials:read" | "materials:write" | "events:read" | "mqtt:auth" | "admin";
        SecretRotation: {
            /** @description `whsec_` and 24 to 64 bytes as base64; absent: one is made */
            secret?: string;
            /** @description How long the old secret signs beside the new one, s; default 24 h */
            expires_in_s?: number;
        };
        Service: {
            id: string;
            asset_id: components["schemas"]["AssetId"];
            project_id: components["schemas"]["ProjectId"];
            item: string;
            serviced_at: components["schemas"]["Timestamp"];
            recorded_at: components["schemas"]["Timestamp"];
            /** @description Absent: not known; hours count from when it was recorded */
            engine_hours?: number;
            /**
             * @description The machine's own meter, our sum over its readings, or the request
             * @enum {string}
             */
            hours_source?: "machine" | "accumulated" | "stated";
            odometer_km?: number;
            note?: string;
        };
        ServiceInterval: {
            /** @enum {string} */
            unit: "hours" | "days" | "km";
            every: number;
            /** @description Null: not known, for the reason given */
            used: number | null;
            /** @description Negative when it is past; null: not known */
            remaining: number | null;
            /** @description Null: not known */
            used_percent: number | null;
            /**
             * @description The machine's own meter, our sum over its readings, or the calendar
             * @enum {string}
             */
            source: "machine" | "accumulated" | "calendar";
            /** @description Why nothing is known of it */
            reason?: string;
        };
        ServiceItem: {
            /** @description Unique in the plan */
            item: string;
            name: string;
            /** @description Engine hours */
            every_hours?: number;
            every_days?: number;
            every_km?: number;
            /** @default 90 */
            warn_at_percent: number;
        };
        ServiceList: {
            data: components["schemas"]["Service"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description null: this process does not know. unprocessed_records wait for live state and events, unstored_records for the telemetry store; below kept_bytes of free disk uploads and backups are refused; last_at is the last whole download from this process */
        ServiceState: {
            as_of: components["schemas"]["Timestamp"];
            readiness: components["schemas"]["Readiness"];
            version: string | null;
            node_version: string;
            /**
             * Format: date-time
             * @description Start of this process
             */
            started_at: string;
            /** @description Resident memory of this process */
            memory_bytes: number;
            journal: {
                bytes: number | null;
                free_bytes: number | null;
                unprocessed_records: number | null;
                unstored_records: number | null;
            };
            jobs: {
                queued: number | null;
                running: number | null;
            };
            disk: {
                free_bytes: number | null;
                kept_bytes: number | null;
            };
            backup: {
                offered: boolean;
                last_at: components["schemas"]["Timestamp"] | null;
            };
        };
        ServiceStatus: {
            item: string;
            name: string;
            /** @enum {string} */
            status: "ok" | "warning" | "due";
            /** @description Of the interval that is used up most; null: none is known */
            used_percent: number | null;
            intervals: components["schemas"]["ServiceInterval"][];
            counted_from: components["schemas"]["Timestamp"];
            /** @description Absent: no service is known. Then hours and km count from 0 of the machine's own meter, where it reports one; all else from when the plan was first applied to the machine */
            last_service_id?: string;
        };
        Session: {
            id: components["schemas"]["SessionId"];
            /** @description `admin`: the key of ADMIN_API_KEY */
            key_id: string;
            key_name: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Last request, up to a minute ago
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description End of the session without another request: 12 h after the last one, 30 days after the log-in, or when the key expires
             */
            expires_at: string;
            /** @description IP address of the log-in */
            address: string;
            /** @description `User-Agent` of the log-in; may be empty */
            user_agent: string;
            /** @description Whether it is the session of this request */
            current: boolean;
        };
        /** @description Session identifier; not the cookie */
        SessionId: string;
        SessionList: {
            data: components["schemas"]["Session"][];
            pagination: components["schemas"]["Pagination"];
        };
        Shift: {
            /** @description Local time of day, HH:MM; 24:00 is the end of the day */
            start: string;
            /** @description Local time of day, HH:MM; 24:00 is the end of the day */
            end: string;
        };
        /** @description One standard deviation by where it comes from, cubic metres */
        SigmaTerms: {
            scale: number;
            focal: number;
            base: number;
            dome: number;
            noise: number;
            gaps: number;
            alignment: number;
        };
        /** @description The uploaded image, which opens without a header; with `&w=160`, 320, 640 or 1280 as a WebP that wide. null: sent in another way, not readable, or older than uploads are kept (7 days) */
        SignedImageUrl: string | null;
        Stockpile: components["schemas"]["StockpileFields"] & {
            id: components["schemas"]["StockpileId"];
            /** @description Cubic metres, three decimals */
            current_volume_m3: number;
            /**
             * Format: date-time
             * @description When it held the current volume: time of the measurement, or as a person declared
             */
            last_measured: string;
            /** @enum {string} */
            status: "empty" | "low" | "adequate" | "full";
            /**
             * @description Source of the volume: a person, or the measurement `measurement_id`; none: no source yet, and 0 means not known
             * @enum {string}
             */
            volume_basis: "declared" | "measured" | "none";
            /** @description The volume is of another footprint or base: they were changed after `measurement_id`, and the next measurement is of them */
            is_outdated: boolean;
            measurement_id?: components["schemas"]["MeasurementId"];
            /** @description Half of the 95 % interval of the current volume; absent: it was declared */
            uncertainty_95_m3?: number;
            /** @description Current volume times density; absent: no density is known */
            tonnes?: number;
            thresholds: components["schemas"]["StockpileThresholds"];
            /**
             * @description proposed: found in the first surface, to be confirmed by a person
             * @enum {string}
             */
            footprint_status: "none" | "proposed" | "confirmed";
            base: components["schemas"]["StockpileBase"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        StockpileBase: {
            /**
             * @description plane: fitted to the ground around the toe; tin: triangles through it; level: one height; survey: a surface from before the heap
             * @enum {string}
             */
            method: "plane" | "tin" | "survey" | "level";
            /** @description Of method level, metres, in the heights of the surveys */
            height_m?: number;
            /**
             * Format: uri
             * @description Of method survey: the address of a GeoTIFF of heights, as POST /progress/images gave it, or of a surface of this stockpile
             */
            surface_url?: string;
            surface_height_unit?: components["schemas"]["HeightUnit"];
        };
        StockpileChange: {
            material?: components["schemas"]["MaterialName"];
            /** @description Storage area name */
            location?: string;
            /** @description Cubic metres, three decimals */
            max_capacity_m3?: number;
            /** @description Cubic metres, three decimals, declared by a person */
            current_volume_m3?: number;
            /**
             * Format: date-time
             * @description When it held the declared volume; not in the future. Absent: now
             */
            measured_at?: string;
            /** @description Tonnes a cubic metre as it lies */
            density_t_per_m3?: number | null;
            thresholds?: components["schemas"]["GivenThresholds"];
            footprint?: components["schemas"]["Polygon"] | null;
            /**
             * @description Confirms the footprint that was proposed
             * @enum {string}
             */
            footprint_status?: "confirmed";
            base?: components["schemas"]["StockpileBase"];
            geofence_id?: components["schemas"]["GeofenceId"] | null;
        };
        StockpileFields: {
            material: components["schemas"]["MaterialName"];
            /** @description Storage area name */
            location: string;
            /** @description Cubic metres, three decimals */
            max_capacity_m3: number;
            project_id: components["schemas"]["ProjectId"];
            /** @description Tonnes a cubic metre as it lies */
            density_t_per_m3?: number;
            footprint?: components["schemas"]["Polygon"];
            geofence_id?: components["schemas"]["GeofenceId"];
        };
        /** @description Stockpile identifier */
        StockpileId: string;
        StockpileList: {
            data: components["schemas"]["Stockpile"][];
            pagination?: components["schemas"]["Pagination"];
        };
        /** @description Shares of the capacity, rising: `empty` and `low` below, `full` from that share on */
        StockpileThresholds: {
            empty_percent: number;
            low_percent: number;
            full_percent: number;
        };
        StoredMaintenancePlan: {
            services?: components["schemas"]["ServiceItem"][];
            limits?: components["schemas"]["LimitRule"][];
            faults?: components["schemas"]["FaultSeverities"];
            valid_from: components["schemas"]["Timestamp"];
        };
        Survey: components["schemas"]["ListedSurvey"] & {
            tiles: components["schemas"]["SurveyTiles"] | null;
        };
        /** @description As the survey's report states it; null: not stated, as for a given surface */
        SurveyAccuracy: {
            georeferencing: ("gps" | "rtk" | "control_points" | "scale_bars" | "given" | "unknown") | null;
            /** @description One standard deviation of lengths, percent */
            scale_sigma_percent: number | null;
            /** @description What is left over in the images, pixels of the photographs */
            reprojection_rms_px: number | null;
            /** @description What is left over at control points, metres */
            control_rms_m: number | null;
            /** @description The same at points that were held back, metres */
            check_rms_m: number | null;
        };
        /** @description Degrees, WGS 84 */
        SurveyBounds: {
            west: number;
            south: number;
            east: number;
            north: number;
        };
        /** @description Files for other programs: cameras always, the others where the request said exports: true. A given surface has no cameras; empty: made before they were kept */
        SurveyExportUrls: {
            /**
             * Format: uri
             * @description Point cloud, COPC: LAZ 1.4 of point format 7, ground classified (class 2), colours
             */
            point_cloud?: string;
            /**
             * Format: uri
             * @description Terrain, Cloud Optimized GeoTIFF: piles are ground, buildings and machines are taken off
             */
            dtm?: string;
            /**
             * Format: uri
             * @description Contour lines of the terrain, GeoJSON (WGS 84)
             */
            contours_geojson?: string;
            /**
             * Format: uri
             * @description Contour lines of the terrain, DXF R12, in the products' coordinate system
             */
            contours_dxf?: string;
            /**
             * Format: uri
             * @description Camera poses and calibration, JSON (plumbline.cameras/1)
             */
            cameras?: string;
            /**
             * Format: uri
             * @description Poses, calibration and tie points as OpenSfM has them
             */
            opensfm_reconstruction?: string;
            /**
             * Format: uri
             * @description Where each image was taken, GeoJSON, as OpenDroneMap has it
             */
            opensfm_shots?: string;
            /**
             * Format: uri
             * @description COLMAP's cameras.txt
             */
            colmap_cameras?: string;
            /**
             * Format: uri
             * @description COLMAP's images.txt
             */
            colmap_images?: string;
            /**
             * Format: uri
             * @description COLMAP's points3D.txt
             */
            colmap_points?: string;
        };
        /** @description What a check of the survey found */
        SurveyFinding: {
            gate: string;
            /** @enum {string} */
            severity: "warn" | "reject";
            measured: {
                value: number | null;
                unit: string;
            };
            limit: {
                value: number | null;
                unit: string;
            };
            /** @description What to do about it */
            advice: string;
        };
        SurveyHeight: {
            latitude: number;
            longitude: number;
            /** @description Height of the surface above the datum, metres */
            height_m: number;
            source: components["schemas"]["HeightSource"];
        };
        /** @description Survey identifier: that of the measurement or capture it was made for */
        SurveyId: string;
        SurveyList: {
            data: components["schemas"]["ListedSurvey"][];
            pagination: components["schemas"]["CursorPagination"];
        };
        /**
         * @description quick (default): images are processed at 1,200 pixels. full: surface and orthophoto come from the photographs as they were taken. Time, and the disk for decoded images, grow with the pixels of the photographs: such a survey takes many times as long. The connection of a measurement may end before its answer; sending the same request again joins it
         * @enum {string}
         */
        SurveyProfile: "quick" | "full";
        /** @description What the survey was made for */
        SurveySource: {
            /** @enum {string} */
            kind: "stockpile_measurement";
            stockpile_id: components["schemas"]["StockpileId"];
            measurement_id: components["schemas"]["MeasurementId"];
            material: string;
            location: string;
        } | {
            /** @enum {string} */
            kind: "progress_capture";
            capture_id: components["schemas"]["CaptureId"];
            report_id: components["schemas"]["ReportId"] | null;
        } | {
            /** @enum {string} */
            kind: "survey";
            capture_id: components["schemas"]["CaptureId"];
        };
        /** @description Map tiles in web mercator (EPSG:3857) */
        SurveyTiles: {
            /** @description null: there is none */
            orthophoto: {
                /** @description Address with {z}, {x} and {y} for the map to fill in; {y}@2x has 512 pixels. Opens without a header for 7 days; with a key or session getSurveyTile has the same */
                url_template: string;
                /** @description Lowest zoom that there are tiles of */
                min_zoom: number;
                /** @description Zoom that shows every cell; maps enlarge its tiles */
                max_zoom: number;
            } | null;
            /** @description Relief, lit from the west and the north */
            hillshade: {
                /** @description Address with {z}, {x} and {y} for the map to fill in; {y}@2x has 512 pixels. Opens without a header for 7 days; with a key or session getSurveyTile has the same */
                url_template: string;
                /** @description Lowest zoom that there are tiles of */
                min_zoom: number;
                /** @description Zoom that shows every cell; maps enlarge its tiles */
                max_zoom: number;
            };
            /** @description Heights in colours (viridis) */
            heights: {
                /** @description Address with {z}, {x} and {y} for the map to fill in; {y}@2x has 512 pixels. Opens without a header for 7 days; with a key or session getSurveyTile has the same */
                url_template: string;
                /** @description Lowest zoom that there are tiles of */
                min_zoom: number;
                /** @description Zoom that shows every cell; maps enlarge its tiles */
                max_zoom: number;
                /** @description Height of the first colour; 2 % of the surface lie below, metres */
                low_m: number | null;
                /** @description Height of the last colour; 2 % of the surface lie above, metres */
                high_m: number | null;
            };
            /** @description Heights as numbers, lossless: red x 256 + green + blue / 256 - 32768, metres; where there is no data about the lowest height of the survey */
            terrain: {
                /** @description Address with {z}, {x} and {y} for the map to fill in; {y}@2x has 512 pixels. Opens without a header for 7 days; with a key or session getSurveyTile has the same */
                url_template: string;
                /** @description Lowest zoom that there are tiles of */
                min_zoom: number;
                /** @description Zoom that shows every cell; maps enlarge its tiles */
                max_zoom: number;
                /** @enum {string} */
                encoding: "terrarium";
            };
        };
        Telemetry: {
            asset_id: components["schemas"]["AssetId"];
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @description Ascending */
            data: ({
                timestamp: components["schemas"]["Timestamp"];
            } & {
                [key: string]: number;
            })[];
            pagination: components["schemas"]["CursorPagination"];
        };
        TilesBaseMap: {
            /** @enum {string} */
            kind: "tiles";
            /** @description With `{z}`, `{x}` and `{y}` in it; another server */
            url_template: string;
            /** @description Text to show on the map */
            attribution: string;
            max_zoom: number;
        };
        /**
         * Format: date-time
         * @description ISO 8601, UTC
         */
        Timestamp: string;
        Track: {
            asset_id: components["schemas"]["AssetId"];
            name: string;
            project_id: components["schemas"]["ProjectId"];
            /** @description Measured positions in the range */
            positions: number;
            /** @description Positions that are made up, and left out */
            mocked: number;
            /** @description Not all positions are in the pieces */
            is_thinned: boolean;
            /** @description Ascending; over 5 min without a position begin the next piece */
            pieces: {
                points: components["schemas"]["TrackPoint"][];
            }[];
            /** @description Between two pieces; `distance_m` is the straight line */
            gaps: {
                from: components["schemas"]["Timestamp"];
                to: components["schemas"]["Timestamp"];
                duration_s: number;
                distance_m: number;
            }[];
            /** @description Within 25 m of one place for 3 min or longer; a gap ends a stop */
            stops: {
                from: components["schemas"]["Timestamp"];
                to: components["schemas"]["Timestamp"];
                duration_s: number;
                location: components["schemas"]["Location"];
                positions: number;
            }[];
            /** @description Entries and exits of fences, ascending */
            crossings: components["schemas"]["TrackCrossing"][];
            /** @description False: there are more crossings */
            crossings_complete: boolean;
            /** @description Received over 60 s after their time; of all positions */
            late: {
                positions: number;
                /** @description Seconds of the latest; null: not known */
                most_s: number | null;
                /** @description Positions of which it is not known */
                unknown: number;
                /** @description Late positions only; the longest 1000, ascending */
                stretches: {
                    from: components["schemas"]["Timestamp"];
                    to: components["schemas"]["Timestamp"];
                    duration_s: number;
                    positions: number;
                    most_s: number;
                }[];
                stretches_complete: boolean;
            };
            summary: {
                /** @description Metres between positions, outside stops and gaps; null: not known */
                distance_m: number | null;
                /** @description Seconds; null: not known */
                moving_s: number | null;
                /** @description Seconds in stops; null: not known */
                stopped_s: number | null;
                /** @description Seconds in gaps; null: not known */
                unknown_s: number | null;
                /** @description Highest reported speed; null: not known */
                max_speed_kmh: number | null;
            };
        };
        TrackCrossing: {
            geofence_id: components["schemas"]["GeofenceId"];
            visit_id: components["schemas"]["VisitId"];
            /** @enum {string} */
            type: "entered" | "exited";
            timestamp: components["schemas"]["Timestamp"];
            location: components["schemas"]["Location"];
            accuracy_meters: number;
            cause: string;
            /** @description Seen only as a line between two fixes outside */
            inferred: boolean;
        };
        TrackList: {
            from: components["schemas"]["Timestamp"];
            to: components["schemas"]["Timestamp"];
            /** @description Before it, positions without `received_late_s` may be late too */
            late_known_from?: string;
            data: components["schemas"]["Track"][];
        };
        TrackPoint: {
            timestamp: components["schemas"]["Timestamp"];
            latitude: number;
            longitude: number;
            /** @description As the device reported it; null: not known */
            speed_kmh: number | null;
            /** @description Degrees clockwise from true north, as reported; null: not known */
            heading: number | null;
            /** @description Metres; null: not known */
            accuracy_meters: number | null;
            /** @description Seconds from its time to its receipt, if over 60 */
            received_late_s?: number;
            /** @description clock_corrected: the device's clock was wrong, this is the time of receipt; accuracy_from_hdop: estimated from HDOP */
            flags?: ("clock_corrected" | "accuracy_from_hdop")[];
        };
        TypeMapping: {
            asset_type: string;
            mapping: components["schemas"]["PayloadMapping"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        TypeMappingList: {
            data: components["schemas"]["TypeMapping"][];
            pagination: components["schemas"]["Pagination"];
        };
        UnmatchedActivity: {
            code: string;
            name: string;
            wbs: string;
            zone_codes: string[];
        };
        Upload: {
            /** @description For `upload_id` in `images` of other requests */
            id: string;
            project_id: components["schemas"]["ProjectId"] | null;
            name: string;
            /** @enum {string} */
            status: "unfinished" | "stored";
            received_bytes: number;
            length_bytes: number;
            /**
             * Format: date-time
             * @description When it is deleted
             */
            expires_at: string;
            sha256: string | null;
            /**
             * Format: uri
             * @description Address of the image, as of POST /progress/images; null until it is stored
             */
            url: string | null;
        };
        UploadedFile: {
            /** @description A whole upload of POST /uploads */
            upload_id: string;
        };
        UploadedImage: {
            /** @description Name of the file as it was sent */
            name: string;
            /** @enum {string} */
            status: "stored" | "refused";
            /**
             * Format: uri
             * @description Address for `images` of other requests
             */
            url?: string;
            /** @description SHA-256 of the bytes, hex */
            sha256?: string;
            size_bytes?: number;
            /** @description Why it was refused */
            reason?: string;
        };
        UploadedImages: {
            images: components["schemas"]["UploadedImage"][];
            /**
             * Format: date-time
             * @description Until when the addresses lead to the images
             */
            expires_at: string;
        };
        Utilization: {
            asset_id: components["schemas"]["AssetId"];
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            time_zone: string;
            /** @description Days on which the asset reported, and those between two reports, ascending */
            data: components["schemas"]["UtilizationDay"][];
        };
        UtilizationDay: {
            /**
             * Format: date
             * @description Local calendar date of the project
             */
            day: string;
            /** @description Working time in the shift, percent of the shift; today: of the shift so far; null: not known */
            utilization: number | null;
            /** @description Working seconds inside the shift */
            working_s: number | null;
            /** @description Working seconds outside the shift */
            overtime_s: number | null;
            /** @description Seconds in which the engine ran */
            engine_on_s: number | null;
            /** @description Metres */
            distance_m: number | null;
            /** @description The same figures with what they are computed from */
            figures: {
                working: components["schemas"]["UtilizationFigure"];
                overtime: components["schemas"]["UtilizationFigure"];
                engine_on: components["schemas"]["UtilizationFigure"];
                distance: components["schemas"]["UtilizationFigure"];
            };
        };
        UtilizationFigure: {
            /** @description Seconds or metres; null: nothing is known */
            value: number | null;
            /** @description Lower bound; null: not kept */
            lower: number | null;
            /** @description Upper bound; null: not kept */
            upper: number | null;
            /**
             * @description Where most of its time comes from
             * @enum {string}
             */
            basis: "observed" | "meter" | "bridged" | "none";
            /** @description Of the day, today of the day so far, that was seen; null: not kept */
            seen_percent: number | null;
            /** @description The value by its sources */
            parts: {
                observed: number;
                meter: number;
                bridged: number;
            };
            /** @description Why there is no value, or are no bounds */
            reason?: string;
        };
        /** @description What utilization_today is computed from; bounds in percent */
        UtilizationToday: {
            /**
             * @description Where most of today's working time comes from. observed: readings at most 5 min apart; meter: the machine's own hour meter over longer gaps; bridged: engine state or displacement at both ends of them; none: nothing is known, and utilization_today is 0
             * @enum {string}
             */
            basis: "observed" | "meter" | "bridged" | "none";
            lower: number;
            upper: number;
            /** @description Of today so far: time with readings at most 5 min apart */
            seen_percent: number;
        };
        /**
         * Format: date-time
         * @description When the fence came into force, at most 72 h ago; fixes since then are evaluated by it too. Absent: now
         */
        ValidFrom: string;
        /** @description What the heights of the products count from; volumes do not depend on it */
        VerticalDatum: {
            /**
             * @description ellipsoidal: above WGS 84; geoid: above the model of a grid file; named: in the system that the given file names, unchanged; unknown: not stated
             * @enum {string}
             */
            kind: "ellipsoidal" | "geoid" | "named" | "unknown";
            /** @description The grid or system, or why nothing is known */
            name: string;
        };
        Visit: {
            id: components["schemas"]["VisitId"];
            project_id: components["schemas"]["ProjectId"];
            asset_id: components["schemas"]["AssetId"];
            geofence_id: components["schemas"]["GeofenceId"];
            entered_at: components["schemas"]["Timestamp"];
            /**
             * Format: date-time
             * @description Absent while the asset is inside
             */
            exited_at?: string;
            /** @description Seconds; until now while inside */
            duration_s: number;
            /** @description Seen only as a line between two fixes outside; its times are interpolated */
            inferred: boolean;
            entry: components["schemas"]["VisitEnd"];
            exit?: components["schemas"]["VisitEnd"];
        };
        VisitEnd: {
            /** @description crossing, or what else began or ended the visit: first_fix, fence_changed, fence_deleted, asset_moved, asset_deleted */
            cause: string;
            location: components["schemas"]["Location"];
            accuracy_meters: number;
        };
        /** @description Identifier of one stay in one geofence */
        VisitId: string;
        VisitList: {
            data: components["schemas"]["Visit"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A volume in a stored survey; nothing of it is stored */
        Volume: {
            survey_id: components["schemas"]["SurveyId"];
            stockpile_id?: components["schemas"]["StockpileId"];
            footprint: components["schemas"]["Polygon"];
            /** @description Cubic metres, three decimals: cut less fill, below 0 where the surface lies below its base */
            net_m3: number;
            /** @description Cubic metres, three decimals: half of the 95 % interval of net_m3 */
            uncertainty_95_m3: number;
            /** @description Cubic metres, three decimals: above the base */
            cut_m3: number;
            /** @description Cubic metres, three decimals: below the base */
            fill_m3: number;
            /** @description Cubic metres, three decimals: what the surface rounds off of top and toe: part of net, cut and fill */
            rounded_off_m3?: number;
            /** @description Cubic metres, three decimals: one standard deviation of net_m3 */
            sigma_m3: number;
            sigma_terms_m3: components["schemas"]["SigmaTerms"];
            /**
             * @description survey: what the survey's images left uncertain; surface: that is not known, and a scale of 1 % is assumed
             * @enum {string}
             */
            accuracy_basis: "survey" | "surface";
            /** @description Net volume times the stockpile's density; null: below its base, or no density */
            tonnes?: number | null;
            /** @description Of the footprint, square metres */
            area_m2: number;
            /** @description Above the base, metres */
            max_height_m: number;
            /** @description Of the footprint: what has a height */
            coverage_percent: number;
            /** @description Of that: what took its height from around it */
            interpolated_percent: number;
            base: components["schemas"]["MeasuredBase"];
            /** @description Cell of the grid that volumes are summed on, metres */
            cell_m: number;
            warnings: string[];
        };
        /** @description What the volume is above */
        VolumeBase: {
            /**
             * @description plane: fitted to the ground around the footprint; tin: triangles through it; level: one height; survey: another survey, as an earlier one of the place
             * @enum {string}
             */
            method: "plane" | "tin" | "survey" | "level";
            /** @description Of method level, metres, in the heights of the survey */
            height_m?: number;
            survey_id?: components["schemas"]["SurveyId"];
        };
        Webhook: {
            id: components["schemas"]["WebhookId"];
            name: string;
            /** Format: uri */
            url: string;
            types: string[];
            /** @description Absent: every project, and events of no project */
            project_ids?: components["schemas"]["ProjectId"][];
            /** @enum {string} */
            status: "active" | "disabled";
            disabled_reason?: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        WebhookChange: {
            /**
             * Format: uri
             * @description http or https; public addresses, and those of OUTBOUND_ALLOW_CIDRS
             */
            url?: string;
            name?: string;
            types?: components["schemas"]["EventTypePatterns"];
            /** @description null: every project */
            project_ids?: components["schemas"]["ProjectIds"] | null;
            /** @enum {string} */
            status?: "active" | "disabled";
            /** @description With `status` active: skip what happened while it was disabled */
            skip_missed?: boolean;
        };
        WebhookDelivery: {
            /** @description Sequence of the event */
            sequence: number;
            /** @description The webhook-id header, the same at every attempt */
            message_id: string;
            /** @description Type of the event */
            type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            first_attempt_at?: components["schemas"]["Timestamp"];
            last_attempt_at?: components["schemas"]["Timestamp"];
            next_attempt_at?: components["schemas"]["Timestamp"];
            /** @description HTTP status of the last answer */
            last_http_status?: number;
            last_error?: string;
            last_duration_ms?: number;
        };
        WebhookDeliveryList: {
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description Webhook subscription identifier */
        WebhookId: string;
        WebhookList: {
            data: components["schemas"]["Webhook"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookReplay: {
            /** @description Events with a higher sequence are posted again; 0: all that are kept */
            cursor: string;
        };
        WebhookReplayOutcome: {
            /** @description Events that will be posted again */
            queued: number;
            has_more: boolean;
            /** @description `cursor` of the next call, when there is more */
            next_cursor: string;
        };
        WebhookTest: {
            /** @description Whether the receiver answered 2xx */
            delivered: boolean;
            message_id: string;
            /** @description Of the answer */
            http_status?: number;
            error?: string;
            duration_ms: number;
        };
        WorkZone: {
            id: components["schemas"]["WorkZoneId"];
            project_id: components["schemas"]["ProjectId"];
            name: components["schemas"]["ZoneName"];
            polygon?: components["schemas"]["Polygon"];
            metric: components["schemas"]["ZoneMetric"];
            baseline?: components["schemas"]["ZoneSurface"];
            design?: components["schemas"]["ZoneSurface"];
            weight?: components["schemas"]["ZoneWeight"];
            declared_progress: components["schemas"]["DeclaredProgress"];
            declared_at: components["schemas"]["Timestamp"];
            activities: components["schemas"]["ZoneActivities"];
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
        };
        WorkZoneChange: {
            name?: components["schemas"]["ZoneName"];
            metric?: components["schemas"]["ZoneMetric"];
            polygon?: components["schemas"]["Polygon"] | null;
            weight?: components["schemas"]["ZoneWeight"] | null;
            declared_progress?: components["schemas"]["DeclaredProgress"];
            /**
             * Format: date-time
             * @description When the declared progress was true; not in the future. Absent: now
             */
            declared_at?: string;
            activities?: components["schemas"]["ZoneActivitiesChange"] | null;
        };
        /** @description Work zone identifier */
        WorkZoneId: string;
        WorkZoneList: {
            data: components["schemas"]["WorkZone"][];
            pagination: components["schemas"]["Pagination"];
        };
        WorkZoneWithSurface: components["schemas"]["WorkZone"] & {
            /** @description What was left out of the file, or assumed */
            warnings: string[];
        };
        ZoneActivities: {
            codes: components["schemas"]["ActivityPatterns"];
            /** @description Paths of the work breakdown structure; all below counts */
            wbs: components["schemas"]["ActivityPatterns"];
            /** @description Names or ids of activities; * matches any text */
            names: components["schemas"]["ActivityPatterns"];
        };
        /** @description Activities of the schedule that are the zone's: any match is enough */
        ZoneActivitiesChange: {
            codes?: components["schemas"]["ActivityPatterns"];
            /** @description Paths of the work breakdown structure; all below counts */
            wbs?: components["schemas"]["ActivityPatterns"];
            /** @description Names or ids of activities; * matches any text */
            names?: components["schemas"]["ActivityPatterns"];
        };
        ZoneMetric: {
            /**
             * @description fill, cut, height, area: by flights; image: by cameras; stages: by photographs; manual: by observations
             * @enum {string}
             */
            kind: "fill" | "cut" | "height" | "area" | "image" | "stages" | "manual";
            /** @description Of surfaces: metres off the design that count as done. Absent: by the level of detection */
            tolerance_m?: number;
            /** @description Of height */
            levels?: {
                name: components["schemas"]["ZoneName"];
                /** @description Planned height of its top, metres above the baseline; rising */
                top_m: number;
                /** @description Share of the zone's work, relative to the other levels. Default 1 */
                weight?: number;
            }[];
            /** @description Of stages */
            stages?: {
                name: components["schemas"]["ZoneName"];
                /** @description Percent complete of a zone in this stage; rising */
                credit: number;
            }[];
        };
        ZoneName: string;
        ZoneSurface: {
            /**
             * @description level: one height; raster: a GeoTIFF; tin: triangles from LandXML; flight: the ground as a flight saw it
             * @enum {string}
             */
            kind: "level" | "raster" | "tin" | "flight";
            /** @description Of level, metres */
            height_m?: number;
            /**
             * @description Of level: in the heights of the surveys, or above the baseline
             * @enum {string}
             */
            reference?: "survey" | "baseline";
            /**
             * Format: uri
             * @description The file; opens without a header for 7 days
             */
            surface_url?: string;
            surface_height_unit?: components["schemas"]["HeightUnit"];
            capture_id?: components["schemas"]["CaptureId"];
        };
        /** @description Share of the project, relative to the other zones; absent: by the schedule, or the planned volume */
        ZoneWeight: number;
    };
    responses: {
        /** @description Done */
        ApiKey: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiKey"];
            };
        };
        /** @description Done */
        AssetDetail: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AssetDetail"];
            };
        };
        /** @description Done */
        AssetMaintenancePlan: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AssetMaintenancePlan"];
            };
        };
        /** @description The request or one of its parameters is invalid */
        BadRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done */
        Camera: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Camera"];
            };
        };
        /** @description Done */
        Command: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Command"];
            };
        };
        /** @description The request conflicts with the current state, or the id is taken (`id_taken`) */
        Conflict: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done */
        ConnectionList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConnectionList"];
            };
        };
        /** @description Done */
        FleetSource: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FleetSource"];
            };
        };
        /** @description The API key lacks the scope */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done */
        Forwarder: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Forwarder"];
            };
        };
        /** @description Internal server error */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such resource, or the API key may not see it */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unchanged since the entity tag in If-None-Match; no body */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The entity tag in If-Match or If-None-Match does not allow it; see `ETag` */
        PreconditionFailed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done */
        Project: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Project"];
            };
        };
        /** @description Done */
        ProjectStorage: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProjectStorage"];
            };
        };
        /** @description Removed */
        Removed: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Done */
        StoredMaintenancePlan: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StoredMaintenancePlan"];
            };
        };
        /** @description The rate limit is exceeded; see Retry-After */
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Done */
        TypeMapping: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TypeMapping"];
            };
        };
        /** @description The API key is missing or invalid */
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Visits, newest entry first */
        VisitList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["VisitList"];
                "text/csv": components["schemas"]["Csv"];
            };
        };
        /** @description A volume in a stored survey; nothing of it is stored */
        Volume: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Volume"];
            };
        };
        /** @description Done */
        Webhook: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description Any of 400, 401, 403, 404, 429, 500; `code` says which */
        Error: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any of 400, 401, 403, 404, 409, 412, 429, 500, 507; `code` says which */
        ChangeError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any of 400, 401, 403, 404, 429, 500; `code` says which */
        ErrorXml: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/xml": string;
            };
        };
    };
    parameters: {
        /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
        IdempotencyKey: string;
        /** @description Entity tag of an earlier answer: 304 when it still holds */
        IfNoneMatch: string;
        /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
        IfMatch: string;
        /** @description Alert identifier */
        AlertId: components["schemas"]["AlertId"];
        /** @description Asset identifier; also its MQTT user name */
        AssetId: components["schemas"]["AssetId"];
        /** @description Asset identifier; also its MQTT user name */
        AssetIdQuery: components["schemas"]["AssetId"];
        /** @description Type of the assets */
        AssetType: string;
        /** @description Camera identifier */
        CameraId: components["schemas"]["CameraId"];
        /** @description Capture identifier */
        CaptureId: components["schemas"]["CaptureId"];
        /** @description Command identifier */
        CommandId: components["schemas"]["CommandId"];
        /** @description Asset id, hardware id such as a PIN, or serial number */
        EquipmentId: string;
        /** @description Absent: by the content */
        Format: "xer" | "mspdi" | "csv";
        /** @description Absent: as the Accept header says */
        Format2: "json" | "html";
        /** @description Forwarder identifier */
        ForwarderId: components["schemas"]["ForwarderId"];
        /** @description Inclusive; absent: from the first on */
        From: string;
        /** @description First day, inclusive */
        From2: string;
        /** @description Geofence identifier */
        GeofenceId: components["schemas"]["GeofenceId"];
        /** @description Geofence identifier */
        GeofenceIdQuery: components["schemas"]["GeofenceId"];
        /** @description Job identifier */
        JobId: components["schemas"]["JobId"];
        /** @description API key identifier; not the key itself */
        KeyId: components["schemas"]["ApiKeyId"];
        /** @description Results per page */
        Limit: number;
        /** @description Results per page */
        Limit2: number;
        /** @description Measurement identifier */
        MeasurementId: components["schemas"]["MeasurementId"];
        /** @description For XER, the project to take; else the name of the schedule */
        Name: string;
        /** @description Results to skip before the first one */
        Offset: number;
        /** @description Results to skip before the first one */
        Offset2: number;
        /** @description From 1 on */
        Page: string;
        /** @description Project identifier */
        ProjectId: components["schemas"]["ProjectId"];
        /** @description Project identifier */
        ProjectIdQuery: components["schemas"]["ProjectId"];
        /** @description Progress report identifier */
        ReportId: components["schemas"]["ReportId"];
        /** @description Project identifier */
        RequiredProjectIdQuery: components["schemas"]["ProjectId"];
        /** @description Absent: the newest */
        Revision: number;
        Sort: "created_at" | "-created_at";
        Sort2: "-created_at" | "created_at";
        Sort3: "-entered_at" | "entered_at";
        Sort4: "-at" | "at";
        Sort5: "-received_at" | "received_at";
        /** @description Fleet source identifier */
        SourceId: components["schemas"]["FleetSourceId"];
        /** @description Stockpile identifier */
        StockpileId: components["schemas"]["StockpileId"];
        Surface: "baseline" | "design";
        /** @description Survey identifier: that of the measurement or capture it was made for */
        SurveyId: components["schemas"]["SurveyId"];
        /** @description Row from north, as `5491.webp`, or `5491@2x.webp` for 512 pixels in place of 256 */
        Tile: string;
        /** @description Exclusive; absent: to the last */
        To: string;
        /** @description Last day, inclusive */
        To2: string;
        Type: string;
        /** @description Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals */
        TypeQuery: string[];
        UploadId: string;
        /** @description Webhook subscription identifier */
        WebhookId: components["schemas"]["WebhookId"];
        /** @description Column, from 180 degrees west */
        X: number;
        /** @description Zoom, within `min_zoom` and `max_zoom` of the layer */
        Z: number;
        /** @description Work zone identifier */
        ZoneId: components["schemas"]["WorkZoneId"];
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in our log; in errors it is `request_id` */
        RequestId: string;
        /** @description Requests a minute that the key may send */
        RateLimitLimit: number;
        /** @description Requests that are left in this minute */
        RateLimitRemaining: number;
        /** @description Unix time at which the minute ends, s */
        RateLimitReset: number;
        /** @description Which preference of the request was followed */
        PreferenceApplied: string;
        /** @description When to ask again, s from now */
        RetryAfter: number;
        /** @description How to send the key */
        WWWAuthenticate: string;
        /** @description Path of what was made */
        Location: string;
        /** @description Entity tag of what is answered, for If-None-Match and If-Match */
        ETag: string;
    };
    pathItems: never;
}
export interface operations {
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description Not ready */
            503: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Prometheus text format */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Projects */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewProject"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Project"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["ChangeError"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChange"];
            };
        };
        responses: {
            200: components["responses"]["Project"];
            default: components["responses"]["ChangeError"];
        };
    };
    getProjectStorage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ProjectStorage"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    setProjectStorage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    limit_mib: number | null;
                };
            };
        };
        responses: {
            200: components["responses"]["ProjectStorage"];
            default: components["responses"]["ChangeError"];
        };
    };
    getProjectLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The logo */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    putProjectLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The logo as it is stored, PNG */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectLogo"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    deleteProjectLogo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    authenticateMqtt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MqttLogin"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MqttLoginResult"];
                };
            };
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    authorizeMqtt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MqttAccess"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MqttAccessResult"];
                };
            };
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description API keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnCredential"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description API key identifier; not the key itself */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ApiKey"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description API key identifier; not the key itself */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    updateKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description API key identifier; not the key itself */
                key_id: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyChange"];
            };
        };
        responses: {
            200: components["responses"]["ApiKey"];
            default: components["responses"]["ChangeError"];
        };
    };
    getOwnSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnSession"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description Logged in; see Set-Cookie */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    deleteOwnSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            412: components["responses"]["PreconditionFailed"];
            default: components["responses"]["Error"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Session identifier; not the cookie */
                session_id: components["schemas"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            412: components["responses"]["PreconditionFailed"];
            default: components["responses"]["Error"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Only events with a higher sequence: `next_cursor` of the answer before, which is always there. `latest`: events from now on. Absent: from the oldest that is kept */
                cursor?: string;
                /** @description In place of cursor, for newest first: only events with a lower sequence: `next_cursor` of the answer before, absent after the oldest. `latest`: from the newest on */
                before?: string;
                /** @description Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals */
                type?: components["parameters"]["TypeQuery"];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, ascending by sequence; with before, descending */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description Begins with the events of a higher sequence. Absent, or `latest`: with events from now on */
                cursor?: string;
                /** @description Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals */
                type?: components["parameters"]["TypeQuery"];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
            };
            header?: {
                /** @description Continues after this event; takes precedence over `cursor` */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; it ends when the key does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The archive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description null: this process does not know. unprocessed_records wait for live state and events, unstored_records for the telemetry store; below kept_bytes of free disk uploads and backups are refused; last_at is the last whole download from this process */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceState"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Webhook"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            200: components["responses"]["Webhook"];
            default: components["responses"]["ChangeError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotation"] | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Separated by commas; absent: all */
                status?: ("pending" | "delivered" | "failed")[];
                sort?: "-sequence" | "sequence";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
                /** @description Sequence of the event */
                sequence: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayOutcome"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Webhook subscription identifier */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listForwarders: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forwarders */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForwarderList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createForwarder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewForwarder"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Forwarder"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getForwarder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Forwarder identifier */
                forwarder_id: components["parameters"]["ForwarderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Forwarder"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteForwarder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Forwarder identifier */
                forwarder_id: components["parameters"]["ForwarderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateForwarder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Forwarder identifier */
                forwarder_id: components["parameters"]["ForwarderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForwarderChange"];
            };
        };
        responses: {
            200: components["responses"]["Forwarder"];
            default: components["responses"]["ChangeError"];
        };
    };
    getConsoleConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleConfig"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Separated by commas; absent: all */
                kind?: ("measure" | "capture" | "label")[];
                /** @description Separated by commas; absent: all */
                status?: ("queued" | "running" | "completed" | "failed" | "canceled")[];
                sort?: components["parameters"]["Sort2"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Job identifier */
                job_id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Job identifier */
                job_id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                status?: "active" | "idle" | "maintenance";
                type?: string;
                /** @description Part of the name or of the id, upper or lower case */
                search?: string;
                /** @description Results per page */
                limit?: components["parameters"]["Limit2"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset2"];
            };
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The assets the key may see */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetList"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            /** @description Unchanged since the entity tag in If-None-Match; no body */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAsset"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredAsset"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getAssetLocation: {
        parameters: {
            query?: {
                /** @description Include location history */
                history?: boolean;
                /** @description Hours of history; has no effect without history=true */
                hours?: number;
                /** @description Thins a longer history to this many points; absent: every point */
                max_points?: number;
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest position */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetLocation"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getAssetTelemetry: {
        parameters: {
            query?: {
                /** @description Inclusive; default: 24 h before to */
                from?: string;
                /** @description Exclusive; now */
                to?: string;
                /** @description Field names, separated by commas; absent: all */
                fields?: string[];
                /** @description Length of a row */
                interval_s?: number;
                /** @description What an interval is reduced to; has no effect without interval_s */
                aggregate?: "mean" | "min" | "max" | "last" | "count";
                /** @description Thins the whole range to this many rows that keep its shape */
                max_points?: number;
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description In place of from: `next_cursor` of the answer before, with the same other parameters */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The readings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Telemetry"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AssetDetail"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssetChange"];
            };
        };
        responses: {
            200: components["responses"]["AssetDetail"];
            default: components["responses"]["ChangeError"];
        };
    };
    rotateAssetCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedCredentials"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getAssetUtilization: {
        parameters: {
            query?: {
                /** @description First day, inclusive */
                from?: components["parameters"]["From2"];
                /** @description Last day, inclusive */
                to?: components["parameters"]["To2"];
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Utilisation by day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Utilization"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getFleetUtilization: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description First day, inclusive */
                from?: components["parameters"]["From2"];
                /** @description Last day, inclusive */
                to?: components["parameters"]["To2"];
                /** @description Separated by commas: `asset,day` has a row for each asset and day */
                group?: ("asset" | "type" | "day")[];
                sort?: "group" | "-group";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sums by group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetUtilization"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getTracks: {
        parameters: {
            query: {
                /** @description Separated by commas */
                asset_id: components["schemas"]["AssetId"][];
                /** @description Inclusive; absent: 24 h before to */
                from?: string;
                /** @description Exclusive; absent: now */
                to?: string;
                /** @description Points of each asset; with all assets 40000 at most */
                max_points?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks, in the order asked for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackList"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                    "application/gpx+xml": components["schemas"]["Gpx"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listCommands: {
        parameters: {
            query?: {
                /** @description Separated by commas; absent: all */
                status?: ("queued" | "sent" | "delivered" | "answered" | "failed" | "expired" | "cancelled")[];
                sort?: components["parameters"]["Sort2"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["CommandName"];
                    /** @description Any JSON up to 8192 bytes. For a Teltonika tracker a text that follows the name; for Sparkplug the metric's value, or {"value", "datatype"} */
                    parameters?: unknown;
                    /**
                     * Format: date-time
                     * @description It is not sent after this time; within 30 days. Default: 24 hours from now
                     */
                    expires_at?: string;
                    max_attempts?: components["schemas"]["CommandAttempts"];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Command"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
                /** @description Command identifier */
                command_id: components["parameters"]["CommandId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Command"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    cancelCommand: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
                /** @description Command identifier */
                command_id: components["parameters"]["CommandId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Command"];
            default: components["responses"]["ChangeError"];
        };
    };
    listGeofences: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Separated by commas; absent: all */
                kind?: ("zone" | "boundary" | "restricted")[];
                /** @description Separated by commas; absent: all */
                status?: "active"[];
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fences the key may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeofenceList"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createGeofence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewGeofence"] | components["schemas"]["NewCircleGeofence"] | components["schemas"]["NewCorridorGeofence"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Geofence"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getGeofence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Geofence identifier */
                geofence_id: components["parameters"]["GeofenceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fence */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Geofence"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteGeofence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Geofence identifier */
                geofence_id: components["parameters"]["GeofenceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateGeofence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Geofence identifier */
                geofence_id: components["parameters"]["GeofenceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GeofenceChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Geofence"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    previewGeofence: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewPolygon"] | components["schemas"]["PreviewCircle"] | components["schemas"]["PreviewCorridor"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeofencePreview"];
                };
            };
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    importGeofences: {
        parameters: {
            query: {
                /** @description Project identifier */
                project_id: components["parameters"]["RequiredProjectIdQuery"];
                /** @description The property that has the names of the fences; absent: `name` */
                name_property?: string;
            };
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/geo+json": string;
                "application/vnd.google-earth.kml+xml": string;
                "application/json": string;
                "application/xml": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeofenceImport"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listVisits: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Geofence identifier */
                geofence_id?: components["parameters"]["GeofenceIdQuery"];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Inclusive; absent: from the first on */
                from?: components["parameters"]["From"];
                /** @description Exclusive; absent: to the last */
                to?: components["parameters"]["To"];
                sort?: components["parameters"]["Sort3"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["VisitList"];
            default: components["responses"]["Error"];
        };
    };
    listGeofenceVisits: {
        parameters: {
            query?: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Inclusive; absent: from the first on */
                from?: components["parameters"]["From"];
                /** @description Exclusive; absent: to the last */
                to?: components["parameters"]["To"];
                sort?: components["parameters"]["Sort3"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Geofence identifier */
                geofence_id: components["parameters"]["GeofenceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["VisitList"];
            default: components["responses"]["Error"];
        };
    };
    acknowledgeAlerts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Either `alert_ids` or `filter` */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acknowledgements"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listAlertMutes: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Also mutes that have ended */
                ended?: boolean;
                sort?: "-from" | "from";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertMuteList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createAlertMute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAlertMute"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertMute"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    deleteAlertMute: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Mute identifier */
                mute_id: components["schemas"]["AlertMuteId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            412: components["responses"]["PreconditionFailed"];
            default: components["responses"]["Error"];
        };
    };
    listAlerts: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                /** @description Geofence identifier */
                geofence_id?: components["parameters"]["GeofenceIdQuery"];
                /** @description Separated by commas; absent: all */
                status?: ("open" | "acknowledged" | "resolved")[];
                /** @description Separated by commas; absent: all */
                severity?: ("info" | "warning" | "critical")[];
                /** @description Types, separated by commas; `*` at the end of one matches any ending. A type includes its revisions and withdrawals */
                type?: components["parameters"]["TypeQuery"];
                /** @description Inclusive; absent: from the first on */
                from?: components["parameters"]["From"];
                /** @description Exclusive; absent: to the last */
                to?: components["parameters"]["To"];
                sort?: "-opened_at" | "opened_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The alerts the key may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Alert identifier */
                alert_id: components["parameters"]["AlertId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    acknowledgeAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Alert identifier */
                alert_id: components["parameters"]["AlertId"];
            };
            cookie?: never;
        };
        /** @description May be left out */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acknowledgement"] | null;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alert"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getAssetMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AssetMaintenancePlan"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    putAssetMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenancePlan"];
            };
        };
        responses: {
            200: components["responses"]["AssetMaintenancePlan"];
            default: components["responses"]["ChangeError"];
        };
    };
    deleteAssetMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    getTypeMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StoredMaintenancePlan"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    putTypeMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenancePlan"];
            };
        };
        responses: {
            200: components["responses"]["StoredMaintenancePlan"];
            default: components["responses"]["ChangeError"];
        };
    };
    deleteTypeMaintenancePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    getAssetMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceStatus"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listServices: {
        parameters: {
            query?: {
                item?: string;
                sort?: "-serviced_at" | "serviced_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Services */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    recordService: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewService"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listAssetConnections: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort4"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectionList"];
            default: components["responses"]["Error"];
        };
    };
    listUnknownConnections: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort4"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConnectionList"];
            default: components["responses"]["Error"];
        };
    };
    listAssetMessages: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort5"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMapping: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Type of the assets */
                asset_type: components["parameters"]["AssetType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TypeMapping"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    putMapping: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Type of the assets */
                asset_type: components["parameters"]["AssetType"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayloadMapping"];
            };
        };
        responses: {
            200: components["responses"]["TypeMapping"];
            default: components["responses"]["ChangeError"];
        };
    };
    deleteMapping: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Type of the assets */
                asset_type: components["parameters"]["AssetType"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    listMappings: {
        parameters: {
            query?: {
                sort?: "asset_type" | "-asset_type";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mappings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TypeMappingList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dryRunPayload: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DryRunRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    listQuarantine: {
        parameters: {
            query?: {
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
                sort?: components["parameters"]["Sort5"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Quarantined messages */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantineList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    replayQuarantined: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuarantineReplay"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listFleetSources: {
        parameters: {
            query?: {
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fleet sources */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetSourceList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createFleetSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewFleetSource"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetSource"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getFleetSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Fleet source identifier */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FleetSource"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteFleetSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Fleet source identifier */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateFleetSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Fleet source identifier */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FleetSourceChange"];
            };
        };
        responses: {
            200: components["responses"]["FleetSource"];
            default: components["responses"]["ChangeError"];
        };
    };
    pollFleetSource: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Fleet source identifier */
                source_id: components["parameters"]["SourceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FleetSource"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    uploadImages: {
        parameters: {
            query?: {
                /** @description Whose quota the images count for; required where the key sees several projects and one has a quota */
                project_id?: components["schemas"]["ProjectId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    images: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedImages"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getSchedule: {
        parameters: {
            query?: {
                /** @description Absent: the newest */
                revision?: components["parameters"]["Revision"];
            };
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    putSchedule: {
        parameters: {
            query?: {
                /** @description Absent: by the content */
                format?: components["parameters"]["Format"];
                /** @description For XER, the project to take; else the name of the schedule */
                name?: components["parameters"]["Name"];
            };
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/xml": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            "2XX": {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    dryRunSchedule: {
        parameters: {
            query?: {
                /** @description Must be true; PUT imports */
                dry_run?: boolean;
                /** @description Absent: by the content */
                format?: components["parameters"]["Format"];
                /** @description For XER, the project to take; else the name of the schedule */
                name?: components["parameters"]["Name"];
            };
            header?: never;
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleDryRun"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listScheduleRevisions: {
        parameters: {
            query?: {
                sort?: "-revision" | "revision";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revisions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRevisionList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPlannedProgress: {
        parameters: {
            query?: {
                at?: string;
                /** @description Inclusive; absent: from the first on */
                from?: components["parameters"]["From"];
                /** @description Exclusive; absent: to the last */
                to?: components["parameters"]["To"];
                interval_days?: number;
                /** @description Absent: the newest */
                revision?: components["parameters"]["Revision"];
            };
            header?: never;
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Planned percents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlannedProgress"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getProgressCurve: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Project identifier */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressCurve"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listZones: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The work zones the key may see */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkZoneList"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWorkZone"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkZone"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The work zone */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkZone"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateZone: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkZoneChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkZone"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    putZoneSurface: {
        parameters: {
            query?: {
                /** @description Unit of the heights of a given surface (GeoTIFF), where the file does not state it: metres, international or US survey feet. A unit that the file contradicts is refused. Absent: as stated in the file, else metres */
                surface_height_unit?: components["schemas"]["HeightUnit"];
                /** @description Of LandXML that names none */
                epsg?: number;
                /** @description Of LandXML: name of the surface; absent: the first */
                surface?: string;
            };
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
                surface: components["parameters"]["Surface"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GivenSurface"];
                "image/tiff": string;
                "application/xml": string;
                "application/landxml+xml": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkZoneWithSurface"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    deleteZoneSurface: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
                surface: components["parameters"]["Surface"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    listObservations: {
        parameters: {
            query?: {
                sort?: "-observed_at" | "observed_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createObservation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewObservation"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObservationWithLabels"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listReports: {
        parameters: {
            query: {
                /** @description Project identifier */
                project_id: components["parameters"]["RequiredProjectIdQuery"];
                /** @description First day, inclusive: an ISO 8601 date; a whole timestamp means its day in UTC */
                from_date?: string;
                /** @description Last day, inclusive: an ISO 8601 date; a whole timestamp means its day in UTC */
                to_date?: string;
                /** @description Results per page */
                limit?: components["parameters"]["Limit2"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reports of the project */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressReportList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Progress report identifier */
                report_id: components["parameters"]["ReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressReport"];
                };
            };
            /** @description Unchanged since the entity tag in If-None-Match; no body */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    getReportChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Progress report identifier */
                report_id: components["parameters"]["ReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportChanges"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getReportPage: {
        parameters: {
            query?: {
                /** @description Absent: as the Accept header says */
                format?: components["parameters"]["Format2"];
            };
            header?: never;
            path: {
                /** @description Progress report identifier */
                report_id: components["parameters"]["ReportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressReport"];
                    "text/html": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    correctReport: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Progress report identifier */
                report_id: components["parameters"]["ReportId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReportCorrection"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProgressReport"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listCameras: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                sort?: components["parameters"]["Sort"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CameraList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createCamera: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCamera"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Camera"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getCamera: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Camera identifier */
                camera_id: components["parameters"]["CameraId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Camera"];
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteCamera: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Camera identifier */
                camera_id: components["parameters"]["CameraId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateCamera: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Camera identifier */
                camera_id: components["parameters"]["CameraId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CameraChange"];
            };
        };
        responses: {
            200: components["responses"]["Camera"];
            default: components["responses"]["ChangeError"];
        };
    };
    listCalibrations: {
        parameters: {
            query?: {
                sort?: "-taken_at" | "taken_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalibrationList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createCalibration: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCalibration"];
            };
        };
        responses: {
            /** @description One label for each camera whose view was labelled */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCalibrations"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    deleteCalibration: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Work zone identifier */
                zone_id: components["parameters"]["ZoneId"];
                /** @description Observation identifier */
                label_id: components["schemas"]["ObservationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    listLabelRequests: {
        parameters: {
            query: {
                /** @description Project identifier */
                project_id: components["parameters"]["RequiredProjectIdQuery"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelRequestList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getCapture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Capture identifier */
                capture_id: components["parameters"]["CaptureId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capture"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    cancelCapture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Capture identifier */
                capture_id: components["parameters"]["CaptureId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Capture"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    listCaptures: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                sort?: components["parameters"]["Sort2"];
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptureList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createCapture: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCapture"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedCapture"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listStockpiles: {
        parameters: {
            query: {
                /** @description Project identifier */
                project_id: components["parameters"]["RequiredProjectIdQuery"];
                /** @description Material name, in whatever case */
                material_type?: string;
                /** @description Results per page */
                limit?: components["parameters"]["Limit2"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset2"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stockpiles of the project */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockpileList"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    createStockpile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStockpile"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stockpile"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getStockpile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stockpile */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stockpile"];
                    "text/csv": components["schemas"]["Csv"];
                    "application/geo+json": components["schemas"]["GeoJSON"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    deleteStockpile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["Removed"];
            default: components["responses"]["ChangeError"];
        };
    };
    updateStockpile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StockpileChange"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stockpile"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    reconcileStockpile: {
        parameters: {
            query?: {
                /** @description Absent: the one before to */
                from_measurement?: components["schemas"]["MeasurementId"];
                /** @description Absent: the latest */
                to_measurement?: components["schemas"]["MeasurementId"];
                /** @description Machines that carry no material of the pile, separated by commas */
                ignore_assets?: components["schemas"]["AssetId"][];
                /** @description One standard deviation of one on-board weighing; absent: 3 */
                load_sigma_percent?: number;
                /** @description One standard deviation of a machine's scale factor, which all its loads share; absent: 1 */
                calibration_sigma_percent?: number;
                /** @description One standard deviation of the stockpile's density; absent: 5 */
                density_sigma_percent?: number;
                /** @description A smaller change of payload within the fence is not a load; absent: 500 */
                least_load_kg?: number;
                sort?: "exited_at" | "-exited_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both changes with their uncertainties, and the loads */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reconciliation"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listMeasurements: {
        parameters: {
            query?: {
                sort?: "-measured_at" | "measured_at";
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description Results to skip before the first one */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Measurements, without the addresses of their files */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasurementList"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMeasurement: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
                /** @description Measurement identifier */
                measurement_id: components["parameters"]["MeasurementId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Measurement"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error"];
        };
    };
    getMeasurementReport: {
        parameters: {
            query?: {
                /** @description Absent: as the Accept header says */
                format?: components["parameters"]["Format2"];
            };
            header?: never;
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
                /** @description Measurement identifier */
                measurement_id: components["parameters"]["MeasurementId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The measurement, its stockpile and sections through the pile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeasurementReport"];
                    "text/html": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMeasurementProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
                /** @description Measurement identifier */
                measurement_id: components["parameters"]["MeasurementId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Surface, base and the previous surface */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    measureStockpile: {
        parameters: {
            query?: never;
            header?: {
                /** @description `respond-async`: answer with the job, 202; others are ignored */
                prefer?: string;
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MeasureRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Measurement"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    Location: components["headers"]["Location"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
        };
    };
    listSurveys: {
        parameters: {
            query?: {
                /** @description Results per page */
                limit?: components["parameters"]["Limit"];
                /** @description `next_cursor` of the answer before */
                cursor?: string;
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
                /** @description Stockpile identifier */
                stockpile_id?: components["schemas"]["StockpileId"];
                /** @description Inclusive; absent: from the first on */
                from?: components["parameters"]["From"];
                /** @description Exclusive; absent: to the last */
                to?: components["parameters"]["To"];
                /** @description Only surveys whose bounds meet it: west,south,east,north in degrees (WGS 84). Surveys without bounds are left out */
                bbox?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SurveyList"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSurvey"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSurvey"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSurvey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description bounds, epsg, cell_m and tiles are null where the surface can no longer be read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Survey"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteSurvey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getSurveyHeight: {
        parameters: {
            query: {
                /** @description Where: LATITUDE,LONGITUDE, degrees (WGS 84) */
                at: string;
            };
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SurveyHeight"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSurveyProfile: {
        parameters: {
            query: {
                /** @description Start: LATITUDE,LONGITUDE, degrees (WGS 84) */
                from: string;
                /** @description End, at most 10 km away: LATITUDE,LONGITUDE, degrees (WGS 84) */
                to: string;
                max_points?: number;
                /** @description Survey identifier: that of the measurement or capture it was made for */
                compare_with?: components["schemas"]["SurveyId"];
            };
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeightProfile"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    measureSurveyVolume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVolume"];
            };
        };
        responses: {
            200: components["responses"]["Volume"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    previewStockpileVolume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Stockpile identifier */
                stockpile_id: components["parameters"]["StockpileId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVolumePreview"];
            };
        };
        responses: {
            200: components["responses"]["Volume"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Error"];
        };
    };
    getSurveyPoints: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Points, GLB */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "model/gltf-binary": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSurveyPile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pile and ground, GLB */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "model/gltf-binary": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSurveyTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
                /** @description orthophoto; hillshade: relief; heights: in colours; terrain: as numbers (terrarium, lossless) */
                layer: "orthophoto" | "hillshade" | "heights" | "terrain";
                /** @description Zoom, within `min_zoom` and `max_zoom` of the layer */
                z: components["parameters"]["Z"];
                /** @description Column, from 180 degrees west */
                x: components["parameters"]["X"];
                /** @description Row from north, as `5491.webp`, or `5491@2x.webp` for 512 pixels in place of 256 */
                tile: components["parameters"]["Tile"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSurveyChangeTile: {
        parameters: {
            query?: {
                /** @description Change that has the darkest colour, metres */
                top_m?: number;
                /** @description Changes of up to so much are grey, metres */
                noise_m?: number;
            };
            header?: never;
            path: {
                /** @description Survey identifier: that of the measurement or capture it was made for */
                survey_id: components["parameters"]["SurveyId"];
                /** @description The survey to compare with */
                since_id: components["schemas"]["SurveyId"];
                /** @description Zoom, within `min_zoom` and `max_zoom` of the layer */
                z: components["parameters"]["Z"];
                /** @description Column, from 180 degrees west */
                x: components["parameters"]["X"];
                /** @description Row from north, as `5491.webp`, or `5491@2x.webp` for 512 pixels in place of 256 */
                tile: components["parameters"]["Tile"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createUpload: {
        parameters: {
            query?: {
                /** @description Project identifier */
                project_id?: components["parameters"]["ProjectIdQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            /** @description The upload is larger than allowed */
            413: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                upload_id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                upload_id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            412: components["responses"]["PreconditionFailed"];
            default: components["responses"]["Error"];
        };
    };
    continueUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 412 when the resource was changed since, and nothing is done */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                upload_id: components["parameters"]["UploadId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The upload is larger than allowed */
            413: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["ChangeError"];
        };
    };
    streamLive: {
        parameters: {
            query?: {
                /** @description Separated by commas; absent: all */
                topics?: ("positions" | "events" | "alerts" | "jobs")[];
                /** @description Separated by commas; absent: all */
                project_id?: components["schemas"]["ProjectId"][];
                /** @description Asset identifier; also its MQTT user name */
                asset_id?: components["parameters"]["AssetIdQuery"];
            };
            header?: {
                /** @description Id of the last message; goes on behind it */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; it ends when the key does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["Error"];
        };
    };
    ingestMessages: {
        parameters: {
            query?: {
                /** @description Asset that the messages are about, where a gateway sends them: one of its project whose `hardware_id` begins with the gateway's and `/` */
                asset?: string;
                /** @description User of OwnTracks, where a client cannot send `X-Limit-U` */
                u?: string;
                /** @description Device of OwnTracks, where a client cannot send `X-Limit-D` */
                d?: string;
                /** @description Sent by ChirpStack, and not needed: the message says the same */
                event?: string;
            };
            header?: {
                /** @description The same request with the same key has one effect and one answer, within 24 h and for each API key; a repeated answer has `Idempotent-Replayed: true` */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description What reads the payload: plumbline, owntracks, thingsboard, traccar, osmand, nmea, j1939, teltonika, teltonika-codec8, senml, sparkplug, things-stack, chirpstack, mapping, or device for the decoder that the asset is registered with */
                decoder: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For decoder `owntracks` an empty array, which is what its apps expect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The asset's id or secret is missing or wrong */
            401: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The asset may not send for the one that is named */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such decoder */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Nothing, or not all of it, can be stored now; see Retry-After */
            503: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "X-RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "X-RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIsoFleet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description From 1 on */
                page: components["parameters"]["Page"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of machines */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/json": components["schemas"]["Iso15143Fleet"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["ErrorXml"];
        };
    };
    getIsoEquipment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tag of an earlier answer: 304 when it still holds */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description Asset id, hardware id such as a PIN, or serial number */
                equipment_id: components["parameters"]["EquipmentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The machine */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/json": components["schemas"]["Iso15143Equipment"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["ErrorXml"];
        };
    };
    getIsoTimeSeries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Asset id, hardware id such as a PIN, or serial number */
                equipment_id: components["parameters"]["EquipmentId"];
                element: "Locations" | "CumulativeOperatingHours" | "FuelUsed" | "FuelUsedLast24" | "Distance" | "CumulativeIdleHours" | "FuelRemaining" | "DEFRemaining" | "EngineStatus" | "CumulativePowerTakeOffHours" | "AverageLoadFactorLast24" | "CumulativeLoadCount" | "CumulativePayloadTotals" | "CumulativeActiveRegenerationHours" | "CumulativeIdleNonOperatingHours" | "FaultCodes";
                /** @description YYYY-MM-DDThh:mm:ssZ, inclusive */
                start: string;
                /** @description The same, the whole second inclusive; at most 31 days after start */
                end: string;
                /** @description From 1 on */
                page: components["parameters"]["Page"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the series */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                    "application/json": components["schemas"]["Iso15143Series"];
                };
            };
            default: components["responses"]["ErrorXml"];
        };
    };
}
