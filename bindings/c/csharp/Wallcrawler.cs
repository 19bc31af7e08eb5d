// Wallcrawler for C#: Unity, Godot with .NET, and any other program. Copy this file into the project, and the library
// (libwallcrawler_c.so, wallcrawler_c.dll or libwallcrawler_c.dylib) where the engine looks for plugins.
//
//     using (var dungeon = Wallcrawler.Dungeon.OfPreset("keep", 42))
//     {
//         bool isWall = dungeon.Tiles[12 * dungeon.Columns + 30] >= (byte)Wallcrawler.Tile.Wall;
//         byte[] map = dungeon.Export("png", "{\"scale\": 8}");
//     }
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Wallcrawler
{
    /// <summary>Kinds of tile. The first two are walkable.</summary>
    public enum Tile : byte { Open, Guaranteed, Wall, HighWall, Column }

    /// <summary>The error for text that is not a design, a rule that does not apply, or an export that is not
    /// possible.</summary>
    public sealed class WallcrawlerException : Exception
    {
        internal WallcrawlerException(string message) : base(message) { }
    }

    /// <summary>A grown dungeon. Arrays have one number for each square, row by row.</summary>
    public sealed class Dungeon : IDisposable
    {
        private IntPtr handle;

        private Dungeon(IntPtr handle)
        {
            this.handle = handle;
        }

        /// <summary>Grows a built-in design from a seed, after changes such as "MaxAge -> 3".</summary>
        public static Dungeon OfPreset(string name, ulong seed, params string[] changes)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(name);
            return Grown(Native.wc_design_preset(bytes, Length(bytes)), seed, changes);
        }

        /// <summary>Grows a design, as TOML or as a rooms file, from a seed, after changes.</summary>
        public static Dungeon Of(string design, ulong seed, params string[] changes)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(design);
            return Grown(Native.wc_design_parse(bytes, Length(bytes)), seed, changes);
        }

        private static Dungeon Grown(IntPtr design, ulong seed, string[] changes)
        {
            Checked(design != IntPtr.Zero);
            try
            {
                foreach (string change in changes)
                {
                    byte[] rule = Encoding.UTF8.GetBytes(change);
                    Checked(Native.wc_design_change(design, rule, Length(rule)));
                }
                IntPtr grown = Native.wc_grow(design, seed);
                Checked(grown != IntPtr.Zero);
                return new Dungeon(grown);
            }
            finally
            {
                Native.wc_design_free(design);
            }
        }

        public int Rows { get { return Native.wc_rows(Handle); } }

        public int Columns { get { return Native.wc_columns(Handle); } }

        /// <summary>The number of turns of the growth.</summary>
        public ulong Turns { get { return Native.wc_turns(Handle); } }

        /// <summary>The turn that is shown, initially the last. Arrays and exports are of this turn.</summary>
        public ulong Turn
        {
            get { return Native.wc_turn(Handle); }
            set { Native.wc_seek(Handle, value); }
        }

        /// <summary>The kind of tile on each square, see <see cref="Tile"/>.</summary>
        public byte[] Tiles
        {
            get
            {
                var squares = new byte[Rows * Columns];
                Marshal.Copy(Native.wc_tiles(Handle), squares, 0, squares.Length);
                return squares;
            }
        }

        /// <summary>The generation of the Builder that laid the tile; -1 where none did.</summary>
        public short[] Generations
        {
            get
            {
                var squares = new short[Rows * Columns];
                Marshal.Copy(Native.wc_generations(Handle), squares, 0, squares.Length);
                return squares;
            }
        }

        /// <summary>The turn in which the tile was laid, from 1; 0 where no Builder laid one.</summary>
        public int[] TurnLaid { get { return Numbers(Native.wc_turn_laid(Handle)); } }

        /// <summary>The number of steps from the entrance; -1 for squares that cannot be reached.</summary>
        public int[] Steps { get { return Numbers(Native.wc_steps(Handle)); } }

        /// <summary>Exports the dungeon as a kind of `wallcrawler export`, with options as a JSON object.</summary>
        public byte[] Export(string kind, string options = "", string name = "dungeon")
        {
            byte[] first = Encoding.UTF8.GetBytes(kind);
            byte[] second = Encoding.UTF8.GetBytes(name);
            byte[] third = Encoding.UTF8.GetBytes(options);
            return Copied(
                Native.wc_export(Handle, first, Length(first), second, Length(second), third, Length(third)));
        }

        /// <summary>Messages as the program prints them: warnings about the text from which the design was parsed, such
        /// as unknown keys, and warnings and notes about the design itself, for example about parts that were left out.
        /// Empty if there are no messages. Each message begins on a new line; its other lines are indented.</summary>
        public string Diagnostics { get { return Encoding.UTF8.GetString(Copied(Native.wc_diagnostics(Handle))); } }

        public void Dispose()
        {
            Native.wc_dungeon_free(handle);
            handle = IntPtr.Zero;
            GC.SuppressFinalize(this);
        }

        ~Dungeon()
        {
            Native.wc_dungeon_free(handle);
        }

        private IntPtr Handle
        {
            get
            {
                if (handle == IntPtr.Zero) throw new ObjectDisposedException("Dungeon");
                return handle;
            }
        }

        private int[] Numbers(IntPtr array)
        {
            var squares = new int[Rows * Columns];
            Marshal.Copy(array, squares, 0, squares.Length);
            return squares;
        }

        /// <summary>Returns a copy of the bytes that a function returned, and frees them.</summary>
        private static byte[] Copied(IntPtr bytes)
        {
            Checked(bytes != IntPtr.Zero);
            try
            {
                var copy = new byte[(int)Native.wc_bytes_length(bytes)];
                Marshal.Copy(Native.wc_bytes_data(bytes), copy, 0, copy.Length);
                return copy;
            }
            finally
            {
                Native.wc_bytes_free(bytes);
            }
        }

        private static UIntPtr Length(byte[] bytes)
        {
            return (UIntPtr)bytes.Length;
        }

        /// <summary>Throws an exception with the reason for the last failure, unless the call succeeded.</summary>
        private static void Checked(bool succeeded)
        {
            if (succeeded) return;
            IntPtr reason = Native.wc_error();
            int length = 0;
            while (Marshal.ReadByte(reason, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(reason, bytes, 0, length);
            throw new WallcrawlerException(Encoding.UTF8.GetString(bytes));
        }
    }

    /// <summary>The functions of wallcrawler.h.</summary>
    internal static class Native
    {
        private const string Library = "wallcrawler_c";

        [DllImport(Library)] internal static extern IntPtr wc_error();
        [DllImport(Library)] internal static extern IntPtr wc_design_parse(byte[] text, UIntPtr length);
        [DllImport(Library)] internal static extern IntPtr wc_design_preset(byte[] name, UIntPtr length);
        [DllImport(Library)] internal static extern void wc_design_free(IntPtr design);
        [DllImport(Library)]
        [return: MarshalAs(UnmanagedType.I1)]
        internal static extern bool wc_design_change(IntPtr design, byte[] rule, UIntPtr length);
        [DllImport(Library)] internal static extern IntPtr wc_grow(IntPtr design, ulong seed);
        [DllImport(Library)] internal static extern void wc_dungeon_free(IntPtr dungeon);
        [DllImport(Library)] internal static extern IntPtr wc_diagnostics(IntPtr dungeon);
        [DllImport(Library)] internal static extern int wc_rows(IntPtr dungeon);
        [DllImport(Library)] internal static extern int wc_columns(IntPtr dungeon);
        [DllImport(Library)] internal static extern ulong wc_turns(IntPtr dungeon);
        [DllImport(Library)] internal static extern ulong wc_turn(IntPtr dungeon);
        [DllImport(Library)] internal static extern void wc_seek(IntPtr dungeon, ulong turn);
        [DllImport(Library)] internal static extern IntPtr wc_tiles(IntPtr dungeon);
        [DllImport(Library)] internal static extern IntPtr wc_generations(IntPtr dungeon);
        [DllImport(Library)] internal static extern IntPtr wc_turn_laid(IntPtr dungeon);
        [DllImport(Library)] internal static extern IntPtr wc_steps(IntPtr dungeon);
        [DllImport(Library)]
        internal static extern IntPtr wc_export(IntPtr dungeon, byte[] kind, UIntPtr kindLength, byte[] name,
            UIntPtr nameLength, byte[] options, UIntPtr optionsLength);
        [DllImport(Library)] internal static extern IntPtr wc_bytes_data(IntPtr bytes);
        [DllImport(Library)] internal static extern UIntPtr wc_bytes_length(IntPtr bytes);
        [DllImport(Library)] internal static extern void wc_bytes_free(IntPtr bytes);
    }
}
