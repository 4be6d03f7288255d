// A CometBFT node whose databases are opened with an option string: what
// cmd/cometbft does, with a provider of databases of our own.
//
//	DB_OPTIONS="auto_tuned_compaction=true" node start --home DIR
//
// Beside CometBFT's commands there is one more, which needs no running node:
//
//	node checkpoint FROM TO    of each *.db in FROM, which a node has left
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	cmd "github.com/cometbft/cometbft/cmd/cometbft/commands"
	cfg "github.com/cometbft/cometbft/config"
	"github.com/cometbft/cometbft/libs/cli"
	"github.com/cometbft/cometbft/libs/log"
	nm "github.com/cometbft/cometbft/node"
	"github.com/cometbft/cometbft/p2p"
	"github.com/cometbft/cometbft/privval"
	"github.com/cometbft/cometbft/proxy"

	dbm "github.com/cometbft/cometbft-db"
	"github.com/linxGnu/grocksdb"
	"github.com/spf13/cobra"
)

// Memtables are small, so that a short run flushes and compacts.
const defaultOptions = "create_if_missing=true;write_buffer_size=4194304;" +
	"target_file_size_base=4194304;max_bytes_for_level_base=16777216;" +
	"max_background_jobs=4;use_direct_io_for_flush_and_compaction=true"

func options() (*grocksdb.Options, error) {
	text := defaultOptions
	if more := os.Getenv("DB_OPTIONS"); more != "" {
		text += ";" + more
	}
	return grocksdb.GetOptionsFromString(nil, text)
}

func openDatabase(ctx *cfg.DBContext) (dbm.DB, error) {
	opts, err := options()
	if err != nil {
		return nil, err
	}
	return dbm.NewRocksDBWithOptions(ctx.ID, ctx.Config.DBDir(), opts)
}

// As node.DefaultNewNode, but for the databases.
func newNode(config *cfg.Config, logger log.Logger) (*nm.Node, error) {
	nodeKey, err := p2p.LoadOrGenNodeKey(config.NodeKeyFile())
	if err != nil {
		return nil, fmt.Errorf("node key %s: %w", config.NodeKeyFile(), err)
	}
	return nm.NewNode(config,
		privval.LoadOrGenFilePV(config.PrivValidatorKeyFile(), config.PrivValidatorStateFile()),
		nodeKey,
		proxy.DefaultClientCreator(config.ProxyApp, config.ABCI, config.DBDir()),
		nm.DefaultGenesisDocProviderFunc(config),
		openDatabase,
		nm.DefaultMetricsProvider(config.Instrumentation),
		logger,
	)
}

func checkpointOne(from, to string) error {
	opts, err := options()
	if err != nil {
		return err
	}
	defer opts.Destroy()
	db, err := grocksdb.OpenDb(opts, from)
	if err != nil {
		return fmt.Errorf("open %s: %w", from, err)
	}
	defer db.Close()
	checkpoint, err := db.NewCheckpoint()
	if err != nil {
		return err
	}
	defer checkpoint.Destroy()
	return checkpoint.CreateCheckpoint(to, 0)
}

func checkpoint(_ *cobra.Command, args []string) error {
	entries, err := os.ReadDir(args[0])
	if err != nil {
		return err
	}
	if err := os.MkdirAll(args[1], 0o755); err != nil {
		return err
	}
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".db") {
			continue
		}
		from, to := filepath.Join(args[0], entry.Name()), filepath.Join(args[1], entry.Name())
		if err := checkpointOne(from, to); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	root := cmd.RootCmd
	root.AddCommand(
		cmd.TestnetFilesCmd,
		cmd.ShowNodeIDCmd,
		cmd.NewRunNodeCmd(newNode),
		&cobra.Command{
			Use:   "checkpoint FROM TO",
			Short: "Checkpoints of the databases that a node has left",
			Args:  cobra.ExactArgs(2),
			RunE:  checkpoint,
		},
	)
	if err := cli.PrepareBaseCmd(root, "CMT", os.ExpandEnv("$HOME/.cometbft")).Execute(); err != nil {
		os.Exit(1)
	}
}
